// The end of a text that is still being written, as it will probably look.

/** A line that has only begun: it may become a list, a rule, a heading, a fence or a table. */
const BEGUN_LINE = /(^|\n)[ \t]*(?:[-=*+_#>|`~]{1,3}|\d{1,3}[.)])[ \t]*$/;
/** A link or an image whose address is not there yet. */
const BEGUN_LINK = /!?\[([^[\]\n]*)(?:\]\([^()\s]*)?$/;
/** What may begin or end code or emphasis: it touches a word, or is the last there is. */
const MARK = /\\.|`+|(?:\*\*|__|~~|\*(?!\*))(?=\S|$)|(?<=[^\s*]\**)(?:\*\*|__|~~|\*)/g;
const HEAD_OF_TABLE = /^(\|[^\n]+)\n[|:\- \t]*$/;

export function mendProse(raw: string): string {
  const table = HEAD_OF_TABLE.exec(raw);
  if (table?.[1]) return `${table[1]}\n${delimiters(table[1])}`;
  return closeMarks(raw.replace(BEGUN_LINE, "$1").replace(BEGUN_LINK, "$1"));
}

/** The code of a fence that may be about to close. */
export function mendCode(raw: string, code: string): string {
  const closing = /\n[ \t]*[`~]{1,2}$/.exec(raw)?.[0];
  return closing && code.endsWith(closing) ? code.slice(0, -closing.length) : code;
}

function delimiters(head: string): string {
  const cells = head
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/).length;
  return `|${" --- |".repeat(cells)}`;
}

/** Closes code and emphasis that are open in the last paragraph, innermost first. */
function closeMarks(source: string): string {
  const from = source.lastIndexOf("\n\n") + 1;
  const open: string[] = [];
  for (const [mark] of source.slice(from).matchAll(MARK)) {
    if (mark.startsWith("\\")) continue;
    const within = open.at(-1);
    if (within?.startsWith("`") && within !== mark) continue;
    const begun = open.lastIndexOf(mark);
    if (begun >= 0) open.splice(begun);
    else open.push(mark);
  }
  const end = source.trimEnd();
  const last = open.at(-1);
  // A mark with nothing behind it yet is not shown.
  if (last && end.endsWith(last)) {
    open.pop();
    return end.slice(0, -last.length) + open.reverse().join("");
  }
  return open.length > 0 ? end + open.reverse().join("") : source;
}
