// How much of the whole each one has: by model, by channel.
import { type Amount, MEASURES, type Measure } from "./measures";

export interface Share extends Amount {
  name: string;
}

export function Shares({
  label,
  measure,
  shares,
}: {
  label: string;
  measure: Measure;
  shares: readonly Share[];
}) {
  const { of, say } = MEASURES[measure];
  const most = Math.max(...shares.map(of), 0);
  const sorted = [...shares].sort((one, other) => of(other) - of(one));
  return (
    <table className="insights-shares" aria-label={label}>
      <tbody>
        {sorted.map((share) => (
          <tr key={share.name}>
            <th scope="row">
              <bdi>{share.name}</bdi>
            </th>
            <td className="insights-bar" aria-hidden="true">
              <svg width="100%" height="12" aria-hidden="true">
                <rect width={`${most > 0 ? (100 * of(share)) / most : 0}%`} height="12" rx="2" />
              </svg>
            </td>
            <td className="insights-amount">{say(of(share))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
