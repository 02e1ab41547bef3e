// Which conversation the address means: the one it names; at `/` the latest of the web; at `/?new`,
// or where there is none, one that begins with its first message.
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { beginningPlace, isNewPlace, newPlace, onBegan } from "../state/actions";
import type { State } from "../state/model";
import { readState, useStore } from "../state/store";
import { useArrival } from "./arrival";

const latest = ({ listed, conversations }: State): string | null =>
  listed.find((id) => conversations[id]?.channel === "web" && !conversations[id]?.readOnly) ?? null;

const isUsed = (place: string): boolean => readState().outbox.some((one) => one.place === place);

/** What a conversation was called before it had an id: on the screen it stays the same one. */
const began = new Map<string, string>();
export const sameAs = (place: string): string => began.get(place) ?? place;

/** null as long as it is not known. */
export function usePlace(named: string | null): string | null {
  const [, navigate] = useLocation();
  const wantsNew = new URLSearchParams(useSearch()).has("new");
  const { serial } = useArrival();
  const [fresh, setFresh] = useState(newPlace);
  const isListed = useStore((state) => state.isListed);
  // Whoever cannot be told what there is can still write.
  const isAway = useStore(({ connection }) => connection.kind === "away");
  // One that was begun before a reload, and whose first message is still on its way.
  const left = useStore(() => (serial === 0 ? beginningPlace() : null));
  const last = useStore((state) => (named === null ? latest(state) : null));
  const begins = left && !isUsed(fresh) ? left : fresh;
  const redirects =
    named === null && !wantsNew && !left && !isUsed(fresh) && isListed && last !== null;

  useEffect(() => {
    // By now one may be elsewhere: Back is told to the parts of the page one after the other.
    if (redirects && location.pathname === "/")
      navigate(`/c/${last}${location.hash}`, { replace: true });
  }, [redirects, last, navigate]);

  // Coming to `/?new` again, one means another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each arrival counts
  useEffect(() => {
    if (wantsNew) setFresh((place) => (isUsed(place) ? newPlace() : place));
  }, [wantsNew, serial]);

  useEffect(
    () =>
      onBegan((place, id) => {
        if (place === named) return navigate(`/c/${id}`); // by a command, in this conversation
        if (isNewPlace(place)) began.set(id, place);
        if (place !== begins) return;
        setFresh(newPlace());
        if (location.pathname === "/") navigate(`/c/${id}`, { replace: true });
      }),
    [begins, named, navigate],
  );

  if (named !== null) return named;
  if (wantsNew || left || isUsed(fresh)) return begins;
  return last === null && (isListed || isAway) ? begins : null;
}
