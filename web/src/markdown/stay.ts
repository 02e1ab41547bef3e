// Nobody is taken from the page to another place unless they ask for it. A policy cannot forbid
// that: if some text ever became a `<meta http-equiv="refresh">`, this is what holds.

/** Begins to watch. Browsers without the Navigation API go on without it. */
export function stay(): void {
  if (!("navigation" in window)) return;
  window.navigation.addEventListener("navigate", (event) => {
    const isElsewhere = new URL(event.destination.url).origin !== location.origin;
    if (isElsewhere && !event.userInitiated) event.preventDefault();
  });
}
