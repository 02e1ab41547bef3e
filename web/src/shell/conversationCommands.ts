// What the palette can do with the conversation that is looked at.
import { address } from "../api/client";
import { apiPath } from "../api/paths";
import { regenerate, stopReply } from "../state/actions";
import { useStore } from "../state/store";
import { copy } from "../ui/copying";
import { type Command, useCommand } from "./commands";

export function useConversationCommands(): void {
  const id = useStore(({ shown, conversations }) => (shown && conversations[shown] ? shown : null));
  const isReplying = useStore((state) => id !== null && state.replying[id] !== undefined);
  const lastReply = useStore((state) => {
    const transcript = id === null ? undefined : state.transcripts[id];
    const last = transcript?.hasLater ? undefined : transcript?.messages.at(-1);
    // The answer to a command is none that can be made again.
    return last?.role === "assistant" && last.replyTo !== null ? last.id : null;
  });
  const isReadOnly = useStore((state) => id !== null && state.conversations[id]?.readOnly === true);
  const canRegenerate = lastReply !== null && !isReplying && !isReadOnly;

  const on = (command: (id: string) => Command) => (id === null ? null : command(id));
  useCommand(
    isReplying
      ? on((here) => ({ label: "Stop the reply", icon: "stop", run: () => stopReply(here) }))
      : null,
  );
  useCommand(
    canRegenerate
      ? on((here) => ({
          label: "Regenerate the last reply",
          icon: "again",
          words: "retry answer again",
          run: () => void regenerate(here, lastReply),
        }))
      : null,
  );
  useCommand(
    on((here) => ({
      label: "Copy a link to this conversation",
      icon: "link",
      words: "address share",
      run: () => void copyLink(here),
    })),
  );
  useCommand(on((here) => exporting(here, "markdown", "Markdown")));
  useCommand(on((here) => exporting(here, "html", "HTML")));
  useCommand(on((here) => exporting(here, "jsonl", "JSONL")));
}

const copyLink = (id: string): Promise<void> =>
  copy(new URL(`/c/${id}`, location.href).href, "The link is copied. It opens for you alone.");

const exporting = (id: string, format: string, name: string): Command => ({
  label: `Export this conversation as ${name}`,
  icon: "download",
  words: "download save file",
  run: () => {
    const link = document.createElement("a");
    link.href = address(apiPath(id, "export"), { format });
    link.download = "";
    link.click();
  },
});
