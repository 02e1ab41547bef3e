import { Words } from "../ui/Words";
import type { Answer, Route, Shape } from "./description";
import { Fields, ShapeLinks } from "./parts";

/** One route: its line, and behind it everything there is to know. */
export function RouteEntry({ route, open }: { route: Route; open: boolean }) {
  return (
    <details className="docs-entry docs-route" id={route.id} open={open}>
      <summary>
        <code className="docs-method" data-method={route.method}>
          {route.method}
        </code>
        <code className="docs-path">{route.path}</code>
        <span className="docs-what">{route.summary}</span>
      </summary>
      <div className="docs-more">
        {route.about && (
          <p>
            <Words text={route.about} />
          </p>
        )}
        <p>
          Scope <code>{route.scope}</code>
          {route.inPerson && "; a signed-in browser needs none"}.
          {route.bodies.length > 0 && (
            <>
              {" "}
              The body is <ShapeLinks names={route.bodies} />.
            </>
          )}
        </p>
        <Fields caption="Parameters and fields" fields={route.fields} />
        <Answers caption="Answers" answers={route.answers} />
        <Answers caption="Problems" answers={route.problems} />
      </div>
    </details>
  );
}

function Answers({ caption, answers }: { caption: string; answers: Answer[] }) {
  if (answers.length === 0) return null;
  return (
    <section aria-label={caption}>
      <h4>{caption}</h4>
      <dl className="docs-fields">
        {answers.map(({ status, about, shapes, events }) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
              <span className="docs-note">
                <ShapeLinks names={shapes} />
              </span>
            </dt>
            <dd>
              <Words text={about} />
              {events.length > 0 && (
                <ul>
                  {events.map(([name, shape]) => (
                    <li key={name}>
                      event <code>{name}</code>: <ShapeLinks names={[shape]} />
                    </li>
                  ))}
                </ul>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ShapeEntry({ shape, open }: { shape: Shape; open: boolean }) {
  return (
    <details className="docs-entry" id={shape.name} open={open}>
      <summary>
        <code className="docs-path">{shape.name}</code>
        <span className="docs-what">
          <Words text={shape.about} />
        </span>
      </summary>
      <div className="docs-more">
        <Fields caption="Fields" fields={shape.fields} />
        {shape.example && (
          <section aria-label="Example">
            <h4>Example</h4>
            <pre>
              <code>{shape.example}</code>
            </pre>
          </section>
        )}
      </div>
    </details>
  );
}
