// Everything as one download.
import { Icon } from "../ui/Icon";
import { useMay } from "./may";
import { Section } from "./Section";

const FORMATS = [
  { format: "markdown", label: "Markdown", use: "to read and to edit anywhere" },
  { format: "html", label: "One web page", use: "to read and to print; opens without Palaver" },
  { format: "jsonl", label: "Exact lines", use: "as they are stored, for programs" },
] as const;

export function Export() {
  const mayRead = useMay("read");
  return (
    <Section title="Export everything">
      {mayRead ? (
        <ul className="settings-list">
          {FORMATS.map(({ format, label, use }) => (
            <li key={format} className="settings-item">
              <div>
                <strong>{label}</strong>
                <span className="settings-detail">{use}</span>
              </div>
              <a
                className="button"
                href={`/api/export?format=${format}`}
                download
                aria-label={`Download everything: ${label}`}
              >
                <Icon name="download" /> Download
              </a>
            </li>
          ))}
        </ul>
      ) : (
        <p>You may not read conversations here. Ask whoever runs this server.</p>
      )}
      <p className="soft">All of your conversations, the archived ones too, in one file.</p>
    </Section>
  );
}
