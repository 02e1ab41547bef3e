// The owner answers somebody in their own words, or is told why that cannot be.
import { useMay } from "../settings/may";
import { keyOf } from "../state/drafts";
import { Visible } from "../ui/Visible";
import { Words } from "../ui/Words";
import { answer } from "./deeds";
import type { View } from "./shapes";
import { Writing } from "./Writing";
import { isTheirs, whoIs } from "./words";

export function Answer({ view }: { view: View }) {
  const { external, messages, unreachable } = view;
  const mayAnswer = useMay("write");
  if (!mayAnswer) return null;
  const send = (text: string) => answer(external, text, keyOf(external.id, text));
  const isClaimed = messages.filter(isTheirs).at(-1)?.author?.grade === "claimed";
  return (
    <section className="ext-answer" aria-labelledby="ext-answer">
      <h2 id="ext-answer">Answer in your own words</h2>
      {unreachable ? (
        <p className="soft">
          <Words text={unreachable} />
        </p>
      ) : (
        <>
          <p className="soft">
            It is sent to{" "}
            <bdi>
              <Visible text={whoIs(external)} />
            </bdi>{" "}
            as you write it.
            {isClaimed &&
              " It answers the last message that is proven to be theirs, not the one that is not."}{" "}
            <code>/answer {external.code}</code> does the same in any conversation.
          </p>
          <Writing
            form="Answer in your own words"
            name="Answer"
            action="Send answer"
            place={external.id}
            rows={3}
            send={send}
          />
        </>
      )}
    </section>
  );
}
