// The same in numbers: every day on which something was said.
import type { SaidOnDay } from "../api/shapes";
import { count, dollars } from "../ui/numbers";
import { fullDay } from "../ui/times";

export function Numbers({ days }: { days: readonly SaidOnDay[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="insights-numbers" aria-label="Numbers by day" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Messages</th>
            <th scope="col">Tokens read</th>
            <th scope="col">Tokens written</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">{fullDay(day.day)}</th>
              <td>{count(day.messages)}</td>
              <td>{count(day.inputTokens)}</td>
              <td>{count(day.outputTokens)}</td>
              <td>{dollars(day.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
