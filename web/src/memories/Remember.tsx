// “Remember this”: a message, or some words of it, as a memory that leads back to them.
import { Dialog } from "../ui/Dialog";
import { excerpt } from "../ui/excerpt";
import { Visible } from "../ui/Visible";
import { addMemory } from "./deeds";
import { Form, type Written } from "./Form";
import type { Opened } from "./opening";

interface Props {
  opened: Extract<Opened, { kind: "remember" }>;
  onClose: () => void;
}

export function Remember({ opened, onClose }: Props) {
  const { conversationId, messageId, content, quote } = opened;
  const shown = excerpt(content, quote);
  const first: Written = {
    content: quote.replace(/\s+/g, " ").trim(),
    type: "fact",
    category: "",
    pinned: false,
    since: "",
  };
  const save = async (written: Written) => {
    await addMemory({
      content: written.content,
      type: written.type,
      ...(written.category ? { category: written.category } : {}),
      ...(written.pinned ? { pinned: true } : {}),
      sourceConversationId: conversationId,
      sourceMessageId: messageId,
      quote,
    });
    onClose();
  };
  return (
    <Dialog title="Remember this" onClose={onClose}>
      <Form
        label="Remember this"
        first={first}
        save="Remember"
        hasPin
        onSave={save}
        onCancel={onClose}
      >
        <p className="mem-from soft">
          From:{" "}
          <span dir="auto">
            <Visible text={shown.before} />
            {shown.quote && (
              <mark>
                <Visible text={shown.quote} />
              </mark>
            )}
            <Visible text={shown.after} />
          </span>
        </p>
      </Form>
    </Dialog>
  );
}
