// Where something that opens stands: under what opened it, above it where there is more room, and
// always inside the window.

const GAP = 4;
const EDGE = 8;

type Opener = Pick<HTMLElement, "getBoundingClientRect">;

export function place(shown: HTMLElement, opener: Opener): void {
  const from = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = shown;
  const below = window.innerHeight - from.bottom - GAP - EDGE;
  const above = from.top - GAP - EDGE;
  const isAbove = height > below && above > below;
  const room = Math.max(0, isAbove ? above : below);
  const top = isAbove ? from.top - GAP - Math.min(height, room) : from.bottom + GAP;
  // It begins where its opener begins, or ends where it ends if that has more room.
  const begin = from.left + width > window.innerWidth - EDGE ? from.right - width : from.left;
  const left = Math.max(EDGE, Math.min(begin, window.innerWidth - width - EDGE));
  shown.style.maxHeight = `${room}px`;
  shown.style.top = `${top}px`;
  shown.style.left = `${left}px`;
}
