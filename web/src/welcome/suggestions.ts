// Words to begin with. They fill the box and are not sent: somebody may want to change them.

export interface Suggestion {
  label: string;
  text: string;
}

/** For somebody who has said nothing yet. */
export const FIRST: readonly Suggestion[] = [
  {
    label: "Note a decision",
    text: "We decided to move the team lunch to Thursday at 12:30, because Ana is away on Fridays.",
  },
  { label: "Keep a plan", text: "This week I want to: \n- \n- \n- " },
  { label: "See what Palaver can do", text: "/help" },
];

/** For somebody who has conversations already. */
export const NEXT: readonly Suggestion[] = [
  { label: "What is still open?", text: "What is still open?" },
  { label: "What did we decide?", text: "What did we decide about " },
  { label: "Go on from last week", text: "What did we talk about last week?" },
];
