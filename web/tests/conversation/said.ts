// Messages for tests, each another one.
import type { Message } from "../../src/api/shapes";
import * as data from "../fake/data";

let last = 0;

export function message(fields: Partial<Message> = {}): Message {
  last += 1;
  return data.message({
    id: `msg-${last}`,
    seq: last,
    content: "Hello",
    turnNumber: last,
    ...fields,
  });
}

export const reply = (fields: Partial<Message> = {}): Message =>
  message({ role: "assistant", content: "It is blue.", replyTo: "msg-0", ...fields });
