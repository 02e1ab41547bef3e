import { afterEach, expect, test, vi } from "vitest";
import { EMPTY, readState, useStore } from "../../src/state/store";
import { copy } from "../../src/ui/copying";

const clipboard = (writeText: (text: string) => Promise<void>) =>
  vi.stubGlobal("navigator", { clipboard: { writeText } });

afterEach(() => {
  vi.unstubAllGlobals();
  useStore.setState(EMPTY, true);
});

test("what was copied is told", async () => {
  const written: string[] = [];
  clipboard(async (text) => void written.push(text));
  await copy("words", "Copied.");
  expect(written).toEqual(["words"]);
  expect(readState().notices.map(({ text }) => text)).toEqual(["Copied."]);
});

test("a browser that does not allow it is told with what to do", async () => {
  clipboard(() => Promise.reject(new DOMException("no", "NotAllowedError")));
  await copy("words", "Copied.");
  expect(readState().notices).toMatchObject([{ kind: "problem" }]);
  expect(readState().notices[0]?.remedy).not.toBe("");
});
