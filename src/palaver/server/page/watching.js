// Who looks at what: the server is told as long as a conversation is shown. When the last page has
// left it, its notes are made.
const AGAIN = 5000;
const ADDRESS = `${location.origin.replace(/^http/, "ws")}/ws`;
let shown = null;
let socket = null;
let waiting;

export function watch(id) {
  if (id === shown) return;
  shown = id;
  if (id === null) close();
  else if (socket?.readyState === WebSocket.OPEN) tell();
  else if (socket === null) open();
}

function tell() {
  socket.send(JSON.stringify({ type: "switch_conversation", conversationId: shown }));
}

function open() {
  clearTimeout(waiting);
  const asked = shown;
  const opened = new WebSocket(`${ADDRESS}?conversation=${encodeURIComponent(asked)}`);
  socket = opened;
  opened.addEventListener("open", () => {
    if (socket === opened && shown !== asked) tell();
  });
  opened.addEventListener("close", () => {
    if (socket !== opened) return;
    socket = null;
    waiting = setTimeout(() => shown !== null && open(), AGAIN);
  });
}

function close() {
  clearTimeout(waiting);
  const last = socket;
  socket = null;
  last?.close();
}
