// A sentence in which `this` is code.
export function Words({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <code key={index}>{part}</code>
    ) : (
      part
    ),
  );
}
