// What the server has for an address, asked for again when it may have changed. What was there
// stays until the new is.
import { useCallback, useEffect, useState } from "react";
import { get } from "./client";
import { asRefused, type Refused } from "./problem";

interface Held<T> {
  key: string;
  data: T | null;
  problem: Refused | null;
}

export interface Fetched<T> {
  data: T | null;
  problem: Refused | null;
  isLoading: boolean;
  again: () => void;
}

/** `version` changes whenever the answer may have changed. A null address asks for nothing. */
export function useFetched<T>(address: string | null, version = ""): Fetched<T> {
  const [held, setHeld] = useState<Held<T>>({ key: "", data: null, problem: null });
  const [tries, setTries] = useState(0);
  const key = address === null ? "" : `${address} ${version} ${tries}`;
  useEffect(() => {
    if (address === null) return;
    const ended = new AbortController();
    get<T>(address, {}, ended.signal).then(
      (data) => setHeld({ key, data, problem: null }),
      (error) => {
        if (ended.signal.aborted) return;
        setHeld(({ data }) => ({ key, data, problem: asRefused(error) }));
      },
    );
    return () => ended.abort();
  }, [address, key]);
  const again = useCallback(() => setTries((before) => before + 1), []);
  return { data: held.data, problem: held.problem, isLoading: held.key !== key, again };
}
