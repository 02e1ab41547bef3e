// The small parts of the reference.
import { Words } from "../ui/Words";
import type { Field } from "./description";

export function Fields({ caption, fields }: { caption: string; fields: Field[] }) {
  if (fields.length === 0) return null;
  return (
    <section aria-label={caption}>
      <h4>{caption}</h4>
      <dl className="docs-fields">
        {fields.map((field) => (
          <div key={`${field.where} ${field.name}`}>
            <dt>
              <code>{field.name}</code>
              <span className="docs-note">
                {[field.where, field.type, field.needed ? "needed" : ""].filter(Boolean).join(", ")}
              </span>
            </dt>
            <dd>
              <Words text={field.about} />
              {field.fallback !== null && field.fallback !== "null" && (
                <>
                  {" "}
                  Otherwise <code>{field.fallback}</code>.
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ShapeLinks({ names }: { names: string[] }) {
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && " or "}
      <a href={`#${name}`}>{name}</a>
    </span>
  ));
}
