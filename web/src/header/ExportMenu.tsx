// A conversation to take away: as it is stored, or to read.
import { address } from "../api/client";
import { apiPath } from "../api/paths";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";

const FORMATS = [
  { format: "markdown", label: "Markdown", hint: "to read or edit" },
  { format: "html", label: "Web page", hint: "to read or print" },
  { format: "jsonl", label: "JSON lines", hint: "as it is stored" },
];

export function ExportMenu({ id, words }: { id: string; words: boolean }) {
  const path = apiPath(id, "export");
  const items = FORMATS.map(({ format, label, hint }) => ({
    label,
    hint,
    href: address(path, { format }),
    download: true,
  }));
  return (
    <Menu label="Export" items={items} className={`button quiet${words ? "" : " icon"}`}>
      <Icon name="download" />
      <span className={words ? "" : "only-heard"}>Export</span>
    </Menu>
  );
}
