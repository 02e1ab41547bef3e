// Where a day stands, and which texts are days.

export const TODAY = "/continuous";

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether it is a day as the API writes it, and there is such a day. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The address of a day, or of a message on it. */
export const dayAddress = (day: string, messageId?: string): string =>
  `${TODAY}/${day}${messageId ? `#${messageId}` : ""}`;
