// A box in which a time zone is found by typing: arrows walk, Enter takes, Escape leaves it as it was.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { clockTime } from "../ui/times";
import { findZones, offset, zoneWords } from "./zones";

const SHOWN = 100;

interface Props {
  zone: string;
  now: number;
  disabled: boolean;
  onChoose: (zone: string) => void;
}

export function ZonePicker({ zone, now, disabled, onChoose }: Props) {
  /** What is typed; null while nobody is looking for anything. */
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const isOpen = query !== null;
  const found = isOpen ? findZones(query).slice(0, SHOWN) : [];

  useEffect(() => {
    if (isOpen) list.current?.children[active]?.scrollIntoView?.({ block: "nearest" });
  }, [isOpen, active]);

  const look = (text: string) => {
    setQuery(text);
    setActive(0);
  };
  const take = (chosen: string | undefined) => {
    setQuery(null);
    if (chosen && chosen !== zone) onChoose(chosen);
  };
  const walk = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) look("");
      else setActive(Math.max(0, Math.min(active + step, found.length - 1)));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      if (found.length > 0) take(found[active]);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      setQuery(null);
    }
  };

  return (
    <div className="settings-zone">
      <input
        className="field settings-wide"
        role="combobox"
        aria-label="Time zone"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={id}
        {...(isOpen && found.length > 0 ? { "aria-activedescendant": `${id}-${active}` } : {})}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        placeholder="A city or a country’s capital"
        value={query ?? zoneWords(zone)}
        onFocus={(event) => event.target.select()}
        onClick={() => !isOpen && look("")}
        onChange={(event) => look(event.target.value)}
        onBlur={() => setQuery(null)}
        onKeyDown={walk}
      />
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Time zones"
        className="settings-zone-list"
        hidden={!isOpen || found.length === 0}
      >
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box above it.
          // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus.
          <div
            key={one}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className="settings-zone-item"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
          >
            <span>{zoneWords(one)}</span>
            <span className="soft">
              {clockTime(now, one)} · {offset(one, now)}
            </span>
          </div>
        ))}
      </div>
      {isOpen && found.length === 0 && (
        <p className="soft" role="status">
          No zone has that in its name. Try the nearest large city.
        </p>
      )}
    </div>
  );
}
