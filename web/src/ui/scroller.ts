/** What scrolls when this element does. */
export function scrollerOf(element: HTMLElement): Element {
  for (let one = element.parentElement; one; one = one.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return document.scrollingElement ?? document.documentElement;
}
