import { beforeEach, expect, test } from "vitest";
import { changeState, EMPTY } from "../../src/state/store";
import { findSources } from "../../src/ui/sources";
import { later } from "../fake/clock";
import { ID, message } from "../fake/data";
import { serve } from "../fake/server";

beforeEach(() => {
  later();
  changeState(EMPTY, true);
});

const PATH = "GET /api/conversations/conv-1/messages";

test("neighbours come with one request, and what is gone stops nothing", async () => {
  const server = serve({
    [`${PATH}?around=msg-1`]: { messages: [message(), message({ id: "msg-2" })] },
    [`${PATH}?around=msg-9`]: { messages: [message({ id: "msg-9" })] },
  });
  const found = await findSources(ID, ["msg-1", "msg-gone", "msg-2", "msg-9"]);
  expect([...found.keys()].sort()).toEqual(["msg-1", "msg-2", "msg-9"]);
  expect(server.asked).toHaveLength(3);
});

test("a failure is told", async () => {
  serve({ [PATH]: 503 });
  await expect(findSources(ID, ["msg-1"])).rejects.toThrow("It was refused.");
});

test("words that were fetched are not kept for long, as they may be erased", async () => {
  const server = serve({ [PATH]: { messages: [message()] } });
  await findSources(ID, ["msg-1"]);
  await findSources(ID, ["msg-1"]);
  expect(server.asked).toHaveLength(1);
  later();
  await findSources(ID, ["msg-1"]);
  expect(server.asked).toHaveLength(2);
});
