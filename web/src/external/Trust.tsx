import type { Trust as Tier } from "./shapes";
import { trustOf } from "./words";

/** How far somebody is trusted, in small. */
export function Trust({ trust }: { trust: Tier }) {
  const { name, about } = trustOf(trust);
  return (
    <span className={`ext-chip ${trust}`} title={about}>
      {name}
    </span>
  );
}
