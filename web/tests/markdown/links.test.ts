import { expect, test } from "vitest";
import { hides, target } from "../../src/markdown/links";

const ORIGIN = "http://127.0.0.1:8420";

test.each([
  [
    "https://example.org/a?b#c",
    { kind: "outside", address: "https://example.org/a?b#c", host: "example.org" },
  ],
  [
    "mailto:ann@example.org",
    { kind: "outside", address: "mailto:ann@example.org", host: "example.org" },
  ],
  ["/c/conv-1#msg-2", { kind: "inside", path: "/c/conv-1#msg-2" }],
  [`${ORIGIN}/c/conv-1`, { kind: "inside", path: "/c/conv-1" }],
  ["/external/ext-1#msg-2", { kind: "inside", path: "/external/ext-1#msg-2" }],
  ["/external/conv-1", { kind: "nowhere" }],
  ["/c/conv-1/../../api/me", { kind: "nowhere" }],
  ["/api/me", { kind: "nowhere" }],
  ["//evil.example", { kind: "nowhere" }],
  ["\\\\evil.example", { kind: "nowhere" }],
  ["java\nscript:alert(1)", { kind: "nowhere" }],
  ["blob:http://x", { kind: "nowhere" }],
  ["http://", { kind: "nowhere" }],
])("%j leads where it says", (href, expected) => {
  expect(target(href, ORIGIN)).toEqual(expected);
});

test.each([
  ["https://bank.example", "https://evil.example/", true],
  ["bank.example", "https://bank.example.evil.example/", true],
  ["log in at www.bank.example now", "https://evil.example/", true],
  ["https://bank.example@evil.example", "https://bank.example@evil.example/", true],
  ["b\u202eknab", "https://evil.example/", true],
  ["аpple", "https://xn--pple-43d.example/", true],
  ["ann@bank.example", "mailto:ann@evil.example", true],
  ["https://www.example.org/node.js", "https://example.org/node.js", false],
  ["the docs", "https://example.org/", false],
  ["example.org", "https://www.example.org/", false],
  ["ann@example.org", "mailto:ann@example.org", false],
])("%j over %j", (text, address, expected) => {
  const to = target(address, ORIGIN);
  expect(hides(text, address, to.kind === "outside" ? to.host : "")).toBe(expected);
});
