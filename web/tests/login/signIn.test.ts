import { afterEach, expect, it } from "vitest";
import { afterSignIn, signInAddress } from "../../src/ui/signIn";

const at = (path: string) => history.replaceState(null, "", path);

afterEach(() => at("/"));

it("leads back to where one was", () => {
  at("/c/conv-1?x=1&y=2#msg-3");
  at(signInAddress());
  expect(location.pathname).toBe("/login");
  expect(afterSignIn()).toBe(`${location.origin}/c/conv-1?x=1&y=2#msg-3`);
});

it("needs no word for the first page", () => {
  expect(signInAddress()).toBe("/login");
  at("/login?code=x");
  expect(afterSignIn()).toBe(`${location.origin}/`);
});

it.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http://[",
])("never leads to another site: %s", (to) => {
  at(`/login?${new URLSearchParams({ to })}`);
  expect(afterSignIn()).toBe("/");
});
