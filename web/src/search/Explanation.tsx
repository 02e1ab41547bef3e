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
  if (told.length === 0) {
    return <p className="soft">It was said at the time you named. No words were compared.</p>;
  }
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
