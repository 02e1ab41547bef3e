import { expect, test } from "vitest";
import { refusal } from "../../src/api/problem";

test("an answer that is no problem document is still a problem with a remedy", async () => {
  const refused = await refusal(new Response("<html>", { status: 502 }));
  expect(refused.code).toBe("bad_answer");
  expect(refused.remedy).not.toBe("");
});

test("a problem document is told in its own words", async () => {
  const document = {
    code: "limit_reached",
    detail: "Too many.",
    remedy: "Wait.",
    title: "",
    status: 429,
  };
  const answer = new Response(JSON.stringify(document), {
    status: 429,
    headers: { "Retry-After": "7" },
  });
  const refused = await refusal(answer);
  expect([refused.code, refused.message, refused.remedy]).toEqual([
    "limit_reached",
    "Too many.",
    "Wait.",
  ]);
  expect(refused.retryAfter).toBe(7);
});
