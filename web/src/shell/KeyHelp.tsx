// The keys of the page, by where they are heard.
import { Dialog } from "../ui/Dialog";
import { Keys } from "../ui/Keys";
import { ELSEWHERE, SHORTCUTS, type Shortcut } from "../ui/keys";

const ALL: readonly Shortcut[] = [...Object.values(SHORTCUTS), ...ELSEWHERE];

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const places = [...new Set(ALL.map((one) => one.where))];
  return (
    <Dialog title="Keys" onClose={onClose}>
      {places.map((where) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, and keys have to reach that
        <section key={where} aria-label={where} tabIndex={0}>
          <h3 className="shell-help-place">{where}</h3>
          <dl className="shell-help">
            {ALL.filter((one) => one.where === where).map(({ keys, does }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {keys.map((one) => (
                    <Keys key={one} keys={one} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
