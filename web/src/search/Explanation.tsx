// Why a result stands where it stands: the parts of its score, which add up to it.

const NAMES: Readonly<Record<string, string>> = {
  words: "The words, in the whole turn",
  ownWords: "The words, in what you said",
  meaning: "The meaning of the whole turn",
  ownMeaning: "The meaning of what you said",
  beside: "The turns beside it",
  otherRounds: "The other turns of the conversation",
  abbreviation: "What the conversation is about, in short",
  lexical: "The words",
  vector: "The meaning",
  time: "It was said at the time you named",
  told: "What tells of it names it, or calls it a decision",
};

const shown = (value: number): string => value.toFixed(3).replace("-", "−");

export function Explanation({
  score,
  parts,
}: {
  score: number;
  parts: Readonly<Record<string, number>>;
}) {
  const told = Object.entries(parts).filter(([, value]) => Math.abs(value) >= 0.0005);
  return (
    <table className="find-parts">
      <tbody>
        {told.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{NAMES[name] ?? name}</th>
            <td>{shown(value)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Score, between 0 and 1</th>
          <td>{shown(score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
