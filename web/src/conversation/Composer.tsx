// The box to write in. The text lives in the box itself, not in the page's state: a paste of a
// hundred pages costs nothing at each key.
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { isNewPlace, send, stopReply } from "../state/actions";
import { draftOf, keepDraft } from "../state/drafts";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { offerBox, refocus } from "./box";
import { CommandList } from "./CommandList";
import { type Command, commandsFor } from "./slash";
import { COMPOSING, isTooLong } from "./words";
import "./composer.css";

const KEPT_AFTER = 250;

/** Conversations that have not begun share one draft: it is there wherever one begins again. */
const draftName = (place: string): string => (isNewPlace(place) ? "new" : place);

interface Props {
  place: string;
  /** Takes the last own message up again. */
  onEditLast: () => void;
  /** Under which name what is typed is kept, if not that of the place. */
  draft?: string;
  placeholder?: string;
  /** Something was said. */
  onSaid?: () => void;
}

export function Composer({ place, onEditLast, onSaid, ...props }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const replying = useStore((state) => state.replying[place]);
  const name = props.draft ?? draftName(place);
  const [isBlank, setBlank] = useState(() => !draftOf(name).trim());
  const [isLong, setLong] = useState(false);
  const [commands, setCommands] = useState<readonly Command[]>([]);
  const [chosen, setChosen] = useState(0);

  const named = useRef(name);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keepNow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (box.current) keepDraft(named.current, box.current.value);
  }, []);
  const look = useCallback(() => {
    const text = box.current?.value ?? "";
    setBlank(!/\S/.test(text));
    setLong(isTooLong(text));
    setCommands(commandsFor(text));
    setChosen(0);
    if (box.current) grow(box.current);
    timer.current ??= setTimeout(keepNow, KEPT_AFTER);
  }, [keepNow]);

  // The conversation has begun: what was typed meanwhile belongs to it.
  useEffect(() => {
    if (named.current === name) return;
    keepDraft(named.current, "");
    named.current = name;
    keepNow();
  }, [name, keepNow]);
  useEffect(() => {
    if (box.current) grow(box.current);
  }, []);
  // Whoever leaves by a key leaves no box behind: it is kept while the box is still there.
  useLayoutEffect(() => {
    const keep = () => timer.current !== undefined && keepNow();
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [keepNow]);
  useEffect(
    () =>
      offerBox({
        add: (text) => {
          const area = box.current;
          if (!area) return;
          area.value = area.value.trim() ? `${area.value.trimEnd()}\n\n${text}` : text;
          look();
          area.focus();
          area.setSelectionRange(area.value.length, area.value.length);
          area.scrollTop = area.scrollHeight;
        },
        focus: () => box.current?.focus(),
      }),
    [look],
  );

  const say = () => {
    const area = box.current;
    if (!area || !/\S/.test(area.value) || isTooLong(area.value)) return;
    const text = area.value;
    area.value = "";
    look();
    keepNow();
    send(place, text);
    onSaid?.();
  };
  const take = (command: Command) => {
    if (!box.current) return;
    box.current.value = `/${command.name} `;
    look();
    box.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    const { key } = event;
    const command = commands[chosen];
    if (command && commandKey(event, commands.length)) return;
    if (key === "ArrowUp" && !event.currentTarget.value) {
      event.preventDefault();
      onEditLast();
    } else if (key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      say();
    }
  };
  /** Keys for the list of commands. A whole command is sent by Enter. */
  const commandKey = (event: KeyboardEvent<HTMLTextAreaElement>, count: number): boolean => {
    const command = commands[chosen];
    const isWhole = event.currentTarget.value === `/${command?.name}`;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % count);
    else if (event.key === "ArrowUp") setChosen((chosen + count - 1) % count);
    else if (event.key === "Escape") setCommands([]);
    else if (command && (event.key === "Tab" || (event.key === "Enter" && !isWhole))) take(command);
    else return false;
    event.preventDefault();
    return true;
  };

  const list = commands.length > 0;
  return (
    <form
      className="talk-composer"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      {list && <CommandList commands={commands} chosen={chosen} onTake={take} />}
      {isLong && (
        <p className="talk-wrong" role="alert">
          A message can hold 1 MiB of text. Take something out, or send it in parts.
        </p>
      )}
      <div className="talk-box">
        <textarea
          ref={box}
          className="talk-area"
          aria-label="Message"
          placeholder={props.placeholder ?? "Write something"}
          dir="auto"
          rows={1}
          defaultValue={draftOf(name)}
          enterKeyHint="send"
          {...(list
            ? {
                "aria-controls": "talk-commands",
                "aria-activedescendant": `talk-command-${chosen}`,
              }
            : {})}
          onChange={look}
          onKeyDown={onKeyDown}
          onBlur={() => timer.current !== undefined && keepNow()}
        />
        {replying && (
          <button
            type="button"
            className="button talk-stop"
            disabled={replying.stopping}
            onClick={() => {
              stopReply(place);
              refocus(); // the button goes, and the focus with it
            }}
          >
            <Icon name="stop" size={16} />
            {replying.stopping ? "Stopping…" : "Stop"}
          </button>
        )}
        <button
          type="submit"
          className="button primary icon talk-send"
          aria-label="Send"
          title="Send (Enter)"
          disabled={isBlank || isLong}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

const GROWS_ITSELF = typeof CSS !== "undefined" && CSS.supports?.("field-sizing", "content");
/** More cannot be seen anyway, and measuring it takes long. */
const TALL = 20_000;

/** The box is as high as its text, where the browser does not see to that. */
function grow(area: HTMLTextAreaElement): void {
  if (GROWS_ITSELF) return;
  area.style.height = "auto";
  area.style.height = area.value.length > TALL ? "40dvh" : `${area.scrollHeight + 2}px`;
}
