// The reference: every route of the API and every shape, from the API's own description.
import { useEffect, useMemo, useState } from "react";
import { get } from "../api/client";
import { asRefused, type Refused } from "../api/problem";
import { signInAddress } from "../ui/signIn";
import { Words } from "../ui/Words";
import { type Description, routesOf, shapesOf } from "./description";
import { found } from "./finding";
import { useHash } from "./hash";
import { RouteEntry, ShapeEntry } from "./RouteEntry";

export function Docs() {
  const [description, setDescription] = useState<Description | null>(null);
  const [problem, setProblem] = useState<Refused | null>(null);

  useEffect(() => {
    get<Description>("/openapi.json").then(setDescription, (error) => setProblem(asRefused(error)));
  }, []);

  return (
    <div className="docs-page">
      <header>
        <p>
          <a href="/">← Palaver</a>
        </p>
        <h1>The API</h1>
        {description && (
          <p className="soft">
            <Words text={description.info.description} />
          </p>
        )}
        <p className="soft">
          The same as a file for programs: <a href="/openapi.json">openapi.json</a>
        </p>
      </header>
      <main aria-busy={!description && !problem}>
        {problem && <Problem problem={problem} />}
        {description && <Reference description={description} />}
      </main>
    </div>
  );
}

function Problem({ problem }: { problem: Refused }) {
  return (
    <p className="docs-problem" role="alert">
      {problem.message}{" "}
      {problem.status === 401 ? <a href={signInAddress()}>Sign in to read it.</a> : problem.remedy}
    </p>
  );
}

function Reference({ description }: { description: Description }) {
  const [words, setWords] = useState("");
  const routes = useMemo(() => routesOf(description), [description]);
  const shapes = useMemo(() => shapesOf(description), [description]);
  const shown = useMemo(() => found(routes, words), [routes, words]);
  const hash = useHash();

  return (
    <>
      <search className="docs-search">
        <input
          type="search"
          className="field"
          aria-label="Search the API"
          placeholder="Search routes, scopes and fields"
          autoComplete="off"
          spellCheck={false}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <p className="soft" role="status">
          {words.trim() ? `${shown.length} of ${routes.length} routes` : `${routes.length} routes`}
        </p>
      </search>
      {shown.length === 0 && (
        <p>
          No route holds all of these words.{" "}
          <button type="button" className="button" onClick={() => setWords("")}>
            Show all routes
          </button>
        </p>
      )}
      {description.tags.map(({ name, description: about }) => {
        const here = shown.filter(({ tag }) => tag === name);
        if (here.length === 0) return null;
        return (
          <section key={name} aria-labelledby={`part-${name}`}>
            <h2 id={`part-${name}`}>{name}</h2>
            <p className="docs-about soft">{about}</p>
            {here.map((route) => (
              <RouteEntry key={route.id} route={route} open={hash === route.id} />
            ))}
          </section>
        );
      })}
      {!words.trim() && (
        <section aria-labelledby="shapes">
          <h2 id="shapes">Shapes</h2>
          <p className="docs-about soft">What bodies and answers hold.</p>
          {shapes.map((shape) => (
            <ShapeEntry key={shape.name} shape={shape} open={hash === shape.name} />
          ))}
        </section>
      )}
    </>
  );
}
