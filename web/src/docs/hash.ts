import { useEffect, useState } from "react";

const here = (): string => decodeURIComponent(location.hash.slice(1));

/** What the address names: it is opened and brought into view, also after it was drawn late. */
export function useHash(): string {
  const [hash, setHash] = useState(here);

  useEffect(() => {
    const look = () => setHash(here());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView();
  }, [hash]);

  return hash;
}
