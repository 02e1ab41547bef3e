import { expect, test } from "vitest";
import { addressOf, wantedOf } from "../../src/search/wanted";

test("what is looked for is in the address, and comes back from it", () => {
  const wanted = {
    q: "a & b",
    kind: "message" as const,
    channel: "email",
    from: "2026-02-01",
    to: "2026-02-14",
    isAllTime: true,
  };
  const address = addressOf(wanted);
  expect(wantedOf(address.slice(address.indexOf("?")))).toEqual(wanted);
});

test("what is usual is left out of the address", () => {
  expect(addressOf(wantedOf("?q=tea"))).toBe("/search?q=tea");
  expect(addressOf(wantedOf(""))).toBe("/search");
});

test("what others wrote is another kind", () => {
  expect(wantedOf("?q=tea&kind=external")).toMatchObject({ kind: "external" });
  expect(addressOf(wantedOf("?q=tea&kind=external"))).toBe("/search?q=tea&kind=external");
});

test("a day is from that day to that day, and what is no day is none", () => {
  expect(wantedOf("?day=2026-11-10")).toMatchObject({ from: "2026-11-10", to: "2026-11-10" });
  expect(wantedOf("?from=soon&kind=poem")).toMatchObject({ from: "", kind: "conversation" });
});
