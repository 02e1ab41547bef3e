import type { Route } from "./description";

/** Routes that hold every word somewhere: in the address, the summary, the scope or a field. */
export function found(routes: Route[], words: string): Route[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return routes.filter((route) => {
    const text = textOf(route);
    return wanted.every((word) => text.includes(word));
  });
}

function textOf({ method, path, summary, about, scope, tag, fields, bodies, answers }: Route) {
  const shapes = answers.flatMap((answer) => answer.shapes);
  const names = fields.map(({ name }) => name);
  return [method, path, summary, about, scope, tag, ...names, ...bodies, ...shapes]
    .join(" ")
    .toLowerCase();
}
