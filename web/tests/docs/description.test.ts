import { expect, it } from "vitest";
import { type Description, routesOf, shapesOf, typeOf } from "../../src/docs/description";
import { found } from "../../src/docs/finding";

const description: Description = {
  info: { description: "", version: "1" },
  tags: [{ name: "chat", description: "" }],
  paths: {
    "/api/chat": {
      post: {
        tags: ["chat"],
        summary: "Say something",
        parameters: [
          {
            name: "Idempotency-Key",
            in: "header",
            schema: { type: "string" },
            description: "Key.",
          },
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/x/Said" } } } },
        responses: {
          "200": {
            description: "A reply.",
            content: {
              "application/json": { schema: { $ref: "#/x/Reply" } },
              "text/event-stream": { "x-events": { reply_delta: { $ref: "#/x/Delta" } } },
            },
          },
          "401": { description: "No." },
        },
        "x-scope": "chat",
      },
    },
    "/healthz": { get: { tags: ["chat"], summary: "Well?", responses: {}, "x-scope": "open" } },
  },
  components: {
    schemas: {
      Said: {
        properties: { message: { type: "string" }, channel: { type: "string", default: "web" } },
        required: ["message"],
        examples: [{ message: "Hello" }],
      },
      Reply: { description: "What was answered." },
    },
  },
};
const [chat, health] = routesOf(description);

it("knows the fields of parameters and body, the answers and the problems", () => {
  expect(chat?.id).toBe("POST-/api/chat");
  expect(chat?.fields.map(({ name, where, needed }) => [name, where, needed])).toEqual([
    ["Idempotency-Key", "header", false],
    ["message", "body", true],
    ["channel", "body", false],
  ]);
  expect(chat?.fields[2]?.fallback).toBe('"web"');
  expect(chat?.answers).toEqual([
    { status: "200", about: "A reply.", shapes: ["Reply"], events: [["reply_delta", "Delta"]] },
  ]);
  expect(chat?.problems.map(({ status }) => status)).toEqual(["401"]);
});

it("lists the shapes by name, with an example", () => {
  const shapes = shapesOf(description);
  expect(shapes.map(({ name }) => name)).toEqual(["Reply", "Said"]);
  expect(shapes[1]?.example).toContain('"Hello"');
});

it.each([
  [{ $ref: "#/components/schemas/Message" }, "Message"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
  [{ type: "array", items: { $ref: "#/x/Message" } }, "list of Message"],
  [{ enum: ["a", "b"] }, '"a" or "b"'],
  [{ const: 3 }, "3"],
  [{}, "anything"],
])("says the type in words: %o", (schema, words) => {
  expect(typeOf(schema)).toBe(words);
});

it.each([
  ["", 2],
  ["post chat", 1],
  ["IDEMPOTENCY", 1],
  ["reply", 1],
  ["well?", 1],
  ["post well", 0],
])("finds routes that hold every word: %s", (words, count) => {
  expect(
    found(
      [chat, health].filter((one) => one !== undefined),
      words,
    ),
  ).toHaveLength(count);
});
