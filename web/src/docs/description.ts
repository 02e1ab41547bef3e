// What the reference reads of the API's own description (OpenAPI).

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
}

interface Content {
  schema?: Schema;
  "x-events"?: Record<string, Schema>;
}

interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    schema: Schema;
    description?: string;
  }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
  "x-scope": string;
  "x-in-person"?: boolean;
}

export interface Description {
  info: { description: string; version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** A parameter, or a field of a body or of a shape. */
export interface Field {
  name: string;
  where: string;
  type: string;
  needed: boolean;
  fallback: string | null;
  about: string;
}

export interface Answer {
  status: string;
  about: string;
  shapes: string[];
  /** The names of the events of a stream, each with its shape. */
  events: [string, string][];
}

export interface Route {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  about: string;
  scope: string;
  inPerson: boolean;
  fields: Field[];
  bodies: string[];
  answers: Answer[];
  problems: Answer[];
}

export interface Shape {
  name: string;
  about: string;
  fields: Field[];
  example: string | null;
}

const FIRST_PROBLEM = 400;

export function routesOf({ paths, components }: Description): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      route(method.toUpperCase(), path, operation, components.schemas),
    ),
  );
}

export function shapesOf({ components }: Description): Shape[] {
  return Object.entries(components.schemas)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, schema]) => ({
      name,
      about: schema.description ?? "",
      fields: fieldsOf(schema, ""),
      example: schema.examples?.length ? JSON.stringify(schema.examples[0], null, 2) : null,
    }));
}

function route(
  method: string,
  path: string,
  operation: Operation,
  schemas: Record<string, Schema>,
): Route {
  const bodies = shapesIn(operation.requestBody?.content);
  const answers = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    about: answer.description,
    shapes: shapesIn(answer.content),
    events: eventsIn(answer.content),
  }));
  return {
    id: `${method}-${path}`,
    tag: operation.tags[0] ?? "",
    method,
    path,
    summary: operation.summary,
    about: operation.description ?? "",
    scope: operation["x-scope"],
    inPerson: operation["x-in-person"] ?? false,
    fields: [
      ...(operation.parameters ?? []).map(({ name, in: where, required, schema, description }) =>
        field(name, where, { ...schema, description: description ?? "" }, required ?? false),
      ),
      ...bodies.flatMap((name) => fieldsOf(schemas[name] ?? {}, "body")),
    ],
    bodies,
    answers: answers.filter(({ status }) => Number(status) < FIRST_PROBLEM),
    // All of them have the one shape that the page explains at its head.
    problems: answers
      .filter(({ status }) => Number(status) >= FIRST_PROBLEM)
      .map((answer) => ({ ...answer, shapes: [] })),
  };
}

const fieldsOf = ({ properties = {}, required = [] }: Schema, where: string): Field[] =>
  Object.entries(properties).map(([name, schema]) =>
    field(name, where, schema, required.includes(name)),
  );

const field = (name: string, where: string, schema: Schema, needed: boolean): Field => ({
  name,
  where,
  type: typeOf(schema),
  needed,
  fallback: schema.default === undefined ? null : JSON.stringify(schema.default),
  about: schema.description ?? "",
});

/** The names of the shapes that a body or an answer can have. */
function shapesIn(content: Record<string, Content> = {}): string[] {
  const named = ({ $ref, anyOf, oneOf, allOf, items }: Schema): string[] =>
    $ref
      ? [nameOf($ref)]
      : [...(anyOf ?? oneOf ?? allOf ?? []), ...(items ? [items] : [])].flatMap(named);
  return [
    ...new Set(Object.values(content).flatMap(({ schema }) => (schema ? named(schema) : []))),
  ];
}

const eventsIn = (content: Record<string, Content> = {}): [string, string][] =>
  Object.values(content).flatMap((one) =>
    Object.entries(one["x-events"] ?? {}).map(([name, schema]): [string, string] => [
      name,
      typeOf(schema),
    ]),
  );

export function typeOf(schema: Schema): string {
  const several = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (several) return [...new Set(several.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "anything"}`;
  return schema.type ?? "anything";
}

const nameOf = (reference: string): string => reference.split("/").pop() ?? reference;
