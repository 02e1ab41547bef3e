// The search box of the page. It goes to the results as one types, and at once on Enter.
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Icon } from "../ui/Icon";
import { spoken } from "../ui/keys";

const PAUSE = 150;

export function SearchBox({ focused = false }: { focused?: boolean }) {
  const [path, go] = useLocation();
  const search = useSearch();
  const isThere = path === "/search";
  const asked = isThere ? (new URLSearchParams(search).get("q") ?? "") : "";
  const [text, setText] = useState(asked);
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // The address leads (Back, a link), but never over what is being typed.
  useEffect(() => {
    if (document.activeElement !== box.current || asked === "") setText(asked);
  }, [asked]);
  useEffect(() => {
    if (focused) box.current?.focus();
  }, [focused]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const find = (words: string) => {
    clearTimeout(timer.current);
    if (!isThere && !words.trim()) return;
    const parameters = new URLSearchParams(isThere ? search : ""); // its filters stay
    if (words.trim()) parameters.set("q", words.trim());
    else parameters.delete("q");
    const wanted = parameters.toString();
    if (isThere && wanted === new URLSearchParams(search).toString()) return;
    // One step back leaves the search, however much was typed.
    go(wanted ? `/search?${wanted}` : "/search", { replace: isThere });
  };
  // When the pause is over: a filter may have been chosen meanwhile.
  const latest = useRef(find);
  latest.current = find;
  const type = (words: string) => {
    setText(words);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(words), PAUSE);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find(text);
  };
  return (
    <search>
      <form className="shell-search" onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={box}
          type="search"
          id="search"
          className="field"
          aria-label="Search"
          aria-keyshortcuts={spoken("search")}
          placeholder="Search"
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </form>
    </search>
  );
}
