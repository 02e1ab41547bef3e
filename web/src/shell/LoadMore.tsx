// The end of a list that goes on: more comes when it is scrolled into view, or by the button. After
// a failure only by the button.
import { useEffect, useRef, useState } from "react";

/** `load` says whether more came. */
export function LoadMore({ load }: { load: () => Promise<boolean> }) {
  const [isLoading, setLoading] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(() => Promise.resolve());
  latest.current = async () => {
    if (isLoading) return;
    setLoading(true);
    setFailed(!(await load()));
    setLoading(false);
  };
  // Observed again after each load: what is still in view asks for more.
  useEffect(() => {
    const shown = end.current;
    if (!shown || isLoading || hasFailed || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && latest.current(),
      { rootMargin: "200px" },
    );
    observer.observe(shown);
    return () => observer.disconnect();
  }, [isLoading, hasFailed]);
  return (
    <div ref={end} className="shell-more">
      <button type="button" className="button quiet" onClick={() => latest.current()}>
        {isLoading ? "Loading more…" : hasFailed ? "Try again" : "Load more"}
      </button>
    </div>
  );
}
