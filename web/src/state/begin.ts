// Beginning: who is there, the socket, and what waits in the outbox.
import { Connection } from "../live/connection";
import { deliverAll, setHearing, stopDelivery } from "./delivery";
import { explain, hear, opened } from "./hearing";
import { line, look, setLine, shownId, stands } from "./line";
import { adopt, otherTabs, setTab } from "./outbox";
import { refreshMe, watchHealth } from "./person";
import { forgetReplies, onGap } from "./replies";
import { useStore } from "./store";
import { enterTab, whenGone } from "./tabs";
import { askNow } from "./undoing";

/** Returns how to end. */
export function begin(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const connection = new Connection({
    conversation: shownId,
    hear,
    opened,
    explain,
    stands: (standing) => {
      stands(standing);
      deliverAll(); // while conversations cannot be shown, messages may still be taken
    },
  });
  setLine(connection);
  setHearing(hear);
  onGap((id) => {
    if (id === shownId()) connection.say(look());
  });
  // Nothing is sent before it is known for whom.
  const stopMeeting = useStore.subscribe(({ me }, before) => {
    if (me !== before.me) deliverAll();
  });
  connection.open();
  void refreshMe();
  const stopWatching = watchHealth();
  void takeUp(signal);
  addEventListener("online", tryNow, { signal });
  addEventListener("pageshow", tryNow, { signal });
  addEventListener("pagehide", askNow, { signal });
  document.addEventListener("visibilitychange", () => document.hidden || tryNow(), { signal });
  return () => {
    ending.abort();
    connection.end();
    setLine(null);
    stands({ kind: "connecting" });
    stopMeeting();
    stopWatching();
    stopDelivery();
    forgetReplies();
  };
}

/** Tries to connect at once. */
export function tryNow(): void {
  line()?.tryNow();
}

/** Sends what this tab had to send when it was left, and what others have left. */
async function takeUp(signal: AbortSignal): Promise<void> {
  const name = await enterTab(signal);
  if (signal.aborted) return;
  setTab(name);
  adopt(name);
  deliverAll();
  const watched = new Set<string>();
  const watch = (): void => {
    for (const other of otherTabs().filter((one) => !watched.has(one))) {
      watched.add(other);
      void whenGone(other, signal, () => {
        adopt(other);
        deliverAll();
      });
    }
  };
  watch();
  addEventListener("storage", watch, { signal });
}
