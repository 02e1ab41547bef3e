// The messages as a model takes them, letter for letter.
import { useState } from "react";
import { Icon } from "../ui/Icon";
import { counted } from "../ui/numbers";
import { Visible } from "../ui/Visible";

type Wire = Record<string, unknown>;

interface Props {
  messages: readonly Wire[];
  isNext: boolean;
}

/** They may be long: they are made when they are looked at. */
export function Sent({ messages, isNext }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="inspector-sent" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" size={14} />
        Exactly as {isNext ? "it would be sent" : "sent"}
        <span className="inspector-number">{counted(messages.length, "message")}</span>
      </summary>
      <p className="soft">
        The assistant’s own instructions and tools go before these, and are not counted here.
      </p>
      {isOpen && (
        <ol>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and only change together.
            <li key={index}>
              <b>{String(message.role)}</b>
              <pre dir="auto">
                <Visible text={wordsOf(message)} />
              </pre>
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

/** Its text; what else there is, as JSON. */
function wordsOf({ role: _, content, ...more }: Wire): string {
  const said = typeof content === "string" ? content : content ? asJson(content) : "";
  const rest = Object.keys(more).length > 0 ? asJson(more) : "";
  return [said, rest].filter(Boolean).join("\n");
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
