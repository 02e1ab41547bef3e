// One thing to do, as a button: a picture, with its name beside it or for the hover.
import { Icon, type IconName } from "../ui/Icon";
import { spoken } from "../ui/keys";

interface Props {
  name: string;
  icon: IconName;
  run: () => void;
  /** Whether the name stands beside the picture. */
  words: boolean;
  keys?: "rename" | "context";
}

export function Action({ name, icon, run, words, keys }: Props) {
  return (
    <button
      type="button"
      className={`button quiet${words ? "" : " icon"}`}
      {...(words ? {} : { "aria-label": name, title: name })}
      {...(keys ? { "aria-keyshortcuts": spoken(keys) } : {})}
      onClick={run}
    >
      <Icon name={icon} />
      {words && name}
    </button>
  );
}
