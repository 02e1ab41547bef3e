import { describe, expect, it } from "vitest";
import type { Transcript } from "../../src/state/model";
import {
  kept,
  stretch,
  tail,
  withEarlier,
  withLater,
  withMessage,
  withTail,
} from "../../src/state/transcripts";
import { message, messages } from "./samples";

const seqs = ({ messages: all }: Transcript): number[] => all.map(({ seq }) => seq);

describe("a transcript", () => {
  it("takes messages at its end", () => {
    const before = tail(messages("c", 1, 2), false);
    expect(seqs(withMessage(before, message("c", 3)))).toEqual([1, 2, 3]);
  });

  it("changes a message that it has", () => {
    const redacted = message("c", 1, { content: "", status: "redacted" });
    const after = withMessage(tail(messages("c", 1, 2), false), redacted);
    expect(after.messages.map(({ status }) => status)).toEqual(["redacted", "complete"]);
  });

  it("lets go what is superseded, whichever of the two is told first", () => {
    const [first, old] = messages("c", 1, 2);
    if (!first || !old) throw new Error();
    const next = message("c", 3, { supersedes: old.id });
    const gone = { ...old, status: "superseded" as const };
    const before = tail([first, old], false);
    expect(seqs(withMessage(before, next))).toEqual([1, 3]);
    expect(seqs(withMessage(withMessage(before, next), gone))).toEqual([1, 3]);
    expect(seqs(withMessage(withMessage(before, gone), next))).toEqual([1, 3]);
  });

  it("adds nothing to a stretch in the middle, which would leave a gap", () => {
    const middle: Transcript = { ...tail(messages("c", 5, 6), true), hasLater: true };
    expect(seqs(withMessage(middle, message("c", 9)))).toEqual([5, 6]);
    expect(seqs(withMessage(middle, message("c", 2)))).toEqual([5, 6]);
  });

  it("puts what comes late in its place", () => {
    const before = tail([message("c", 1), message("c", 3)], false);
    expect(seqs(withMessage(before, message("c", 2)))).toEqual([1, 2, 3]);
  });

  it("keeps what was loaded before, if the end joins it", () => {
    const before = withEarlier(tail(messages("c", 11, 20), true), messages("c", 1, 10), false);
    const after = withTail(before, tail(messages("c", 15, 25), true));
    expect(seqs(after)).toEqual(messages("c", 1, 25).map(({ seq }) => seq));
    expect(after.hasEarlier).toBe(false);
  });

  it("begins anew where the end does not join it", () => {
    const after = withTail(tail(messages("c", 1, 5), false), tail(messages("c", 50, 60), true));
    expect(seqs(after)[0]).toBe(50);
    expect(after.hasEarlier).toBe(true);
  });

  it("leaves whoever reads in the middle there", () => {
    const middle: Transcript = { ...tail(messages("c", 5, 6), true), hasLater: true };
    expect(withTail(middle, tail(messages("c", 50, 60), true))).toBe(middle);
  });

  it("keeps the answers to commands, which are told once", () => {
    const answer = message("c", 3, { role: "assistant", turnNumber: 0 });
    const before = withMessage(tail(messages("c", 1, 2), false), answer);
    expect(seqs(withTail(before, tail([...messages("c", 1, 2), message("c", 4)], false)))).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it("knows where a stretch around a message ends", () => {
    const around = (first: number, last: number, at: number) => {
      const { hasEarlier, hasLater } = stretch(messages("c", first, last), `msg-c-${at}`, 10);
      return [hasEarlier, hasLater];
    };
    expect(around(10, 19, 15)).toEqual([true, true]);
    expect(around(1, 7, 3)).toEqual([false, true]);
    expect(around(10, 17, 15)).toEqual([true, false]);
  });

  it("grows at both ends, without doubles", () => {
    const middle: Transcript = { ...tail(messages("c", 5, 6), true), hasLater: true };
    const later = withLater(middle, messages("c", 6, 8), false);
    const all = withEarlier(later, messages("c", 1, 5), false);
    expect(seqs(all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([all.hasEarlier, all.hasLater]).toEqual([false, false]);
  });
});

describe("transcripts", () => {
  it("are at most twenty; the one that is shown stays", () => {
    let transcripts = {};
    for (let number = 0; number < 30; number += 1) {
      transcripts = kept({ transcripts, shown: "c0" }, `c${number}`, tail([], false));
    }
    expect(Object.keys(transcripts)).toHaveLength(20);
    expect(Object.keys(transcripts)).toContain("c0");
    expect(Object.keys(transcripts)).toContain("c29");
  });
});
