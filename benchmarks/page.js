// Measures what a person sees. It runs in the page before anything else does; all times are the
// page's own, in milliseconds.
(() => {
  /** The next time a text stands on the screen, in an article, and has been painted. */
  const painted = (text, from = 0, where = "article") =>
    new Promise((resolve) => {
      const isThere = () =>
        [...document.querySelectorAll(where)].some((one) => one.textContent.includes(text));
      const look = () => {
        if (!isThere()) return;
        observer.disconnect();
        // A frame begins after the change; a message that is posted in it comes after its paint.
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => resolve(performance.now() - from);
          channel.port2.postMessage(null);
        });
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true, characterData: true });
      look();
    });

  /** From the next event of a kind until a text is painted. */
  const until = (kind, text, where) =>
    new Promise((resolve) => {
      addEventListener(kind, (event) => resolve(painted(text, event.timeStamp, where)), {
        capture: true,
        once: true,
      });
    });

  // When a piece of a reply arrived: heard before the page hears it.
  const waiting = new Map();
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data, timeStamp }) => {
        if (typeof data !== "string" || !data.includes('"reply_delta"')) return;
        for (const [text, tell] of waiting) {
          if (!data.includes(text)) continue;
          waiting.delete(text);
          tell(painted(text, timeStamp));
        }
      });
    }
  };
  /** From the arrival of a piece that holds the text until it is painted. */
  const afterArrival = (text) => new Promise((resolve) => waiting.set(text, resolve));

  let longest = 0;
  let last = 0;
  const frame = (now) => {
    if (last) longest = Math.max(longest, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);

  let shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifted += entry.hadRecentInput ? 0 : entry.value;
  }).observe({ type: "layout-shift", buffered: true });

  window.measured = {
    until,
    afterArrival,
    begin: () => {
      longest = 0;
      shifted = 0;
    },
    longestFrame: () => longest,
    shift: () => shifted,
  };
})();
