// One box that finds conversations, memories, messages and commands. Arrows walk, Enter does, Escape leaves.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog } from "../../ui/Dialog";
import { ChannelIcon, Icon } from "../../ui/Icon";
import { Keys } from "../../ui/Keys";
import { Time } from "../../ui/Time";
import { type Offer, useOffers } from "./found";
import "./palette.css";

export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const { offers, isLooking } = useOffers(query);
  const list = useId();
  const at = Math.min(chosen, Math.max(0, offers.length - 1));
  const here = offers[at];

  const run = (offer: Offer | undefined) => {
    if (!offer) return;
    onClose();
    // After the dialog has gone and returned the focus, which the command may then move.
    queueMicrotask(offer.run);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = offers.length - 1;
    const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at === 0 ? last : at - 1 }[
      event.key
    ];
    if (to !== undefined) setChosen(to);
    else if (event.key === "Enter") run(here);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find anything" className="shell-palette" onClose={onClose}>
      <div className="shell-palette-box">
        <Icon name="search" />
        <input
          data-first
          className="shell-palette-input"
          role="combobox"
          aria-label="Find anything"
          aria-expanded={offers.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={here ? optionId(list, at) : undefined}
          placeholder="Conversations, memories, messages, days, commands"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
        />
      </div>
      <Offers id={list} offers={offers} at={at} onPoint={setChosen} onRun={run} />
      <p role="status" className={offers.length > 0 || isLooking ? "only-heard" : "shell-empty"}>
        {told(offers.length, isLooking)}
      </p>
    </Dialog>
  );
}

function told(many: number, isLooking: boolean): string {
  if (isLooking) return "";
  return many === 0 ? "Nothing was found. Try fewer or other words." : `${many} found`;
}

const optionId = (list: string, index: number): string => `${list}-${index}`;

interface OffersProps {
  id: string;
  offers: readonly Offer[];
  at: number;
  onPoint: (index: number) => void;
  onRun: (offer: Offer) => void;
}

function Offers({ id, offers, at, onPoint, onRun }: OffersProps) {
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other one is scrolled to then.
  useEffect(() => {
    chosen.current?.scrollIntoView?.({ block: "nearest" });
  }, [at, offers]);
  const groups = [...new Set(offers.map((one) => one.group))];
  return (
    <div id={id} role="listbox" aria-label="Found" className="shell-palette-list" tabIndex={-1}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox.
        <div key={group} role="group" aria-label={group}>
          <div className="shell-group" aria-hidden="true">
            {group}
          </div>
          {offers.map((offer, index) =>
            offer.group === group ? (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are those of the box, where the focus stays.
              <div
                key={offer.id}
                ref={index === at ? chosen : null}
                id={optionId(id, index)}
                role="option"
                aria-selected={index === at}
                className="shell-offer"
                onPointerMove={() => index !== at && onPoint(index)}
                onClick={() => onRun(offer)}
              >
                <Offered offer={offer} />
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

function Offered({ offer }: { offer: Offer }) {
  const { label, icon, channel, at, words, keys } = offer;
  return (
    <>
      {icon && <Icon name={icon} />}
      {channel && <ChannelIcon channel={channel} />}
      <span className="shell-offer-words">
        <span className="shell-offer-label">{label}</span>
        {words && <span className="shell-offer-said">{words}</span>}
      </span>
      {at && (
        <span className="soft shell-offer-time">
          <Time at={at} as="ago" />
        </span>
      )}
      {keys && <Keys keys={keys} />}
    </>
  );
}
