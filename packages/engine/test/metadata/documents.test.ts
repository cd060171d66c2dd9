import { CogError, type Source } from "@swath/cog";
import { describe, expect, test } from "vitest";
import { type DocumentSettings, Documents } from "../../src/metadata/documents.ts";
import { Refusal } from "../../src/refusal.ts";

const WHAT = "The numbers cannot be read";
const signal = new AbortController().signal;

type Answer = string | Error | ((signal: AbortSignal | undefined) => Promise<Uint8Array>);

/** Documents of numbers, from sources that answer one after the other as they are told. */
function documentsOf(answers: readonly Answer[], settings: Partial<DocumentSettings<number | undefined>> = {}) {
  const read: string[] = [];
  let closed = 0;
  const left = [...answers];
  const sourceFor = (href: string): Source => ({
    key: href,
    async read(_offset, length, options) {
      read.push(href);
      const answer = left.shift();
      if (typeof answer === "function") return answer(options?.signal);
      if (answer instanceof Error) throw answer;
      return new TextEncoder().encode(answer).slice(0, length);
    },
    async close() {
      closed += 1;
    },
  });
  const parse = (bytes: Uint8Array): number => {
    const number = Number(new TextDecoder().decode(bytes));
    if (Number.isFinite(number)) return number;
    throw new RangeError("Expected a number.");
  };
  const documents = new Documents<number | undefined>({ sourceFor, parse, maxBytes: 4, max: 10, ...settings });
  return { documents, read, closed: () => closed };
}

describe("a document", () => {
  test("is read once, by callers at the same time and later ones, and its source is closed", async () => {
    const { documents, read, closed } = documentsOf(["7"]);
    const [one, other] = await Promise.all([documents.read("a", WHAT, signal), documents.read("a", WHAT, signal)]);
    expect([one, other, await documents.read("a", WHAT, signal)]).toEqual([7, 7, 7]);
    expect([read, closed()]).toEqual([["a"], 1]);
  });

  test.each([
    ["the archive does not answer", new CogError("unavailable", "503 of a secret address"), "the archive did not send"],
    ["it is not there", new CogError("not-found", "404"), "a file does not exist"],
    ["it is of another kind", "six", "cannot be read."],
    ["it is too large", "12345", "a file declares more than is read"],
  ])("cannot be read where %s, and is asked for again", async (_, answer, words) => {
    const { documents, read } = documentsOf([answer, "8"]);
    const refused = await documents.read("a", WHAT, signal).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ code: "upstream-unavailable", retryAfter: 5 });
    expect((refused as Refusal).detail).toContain(WHAT);
    expect((refused as Refusal).detail).toContain(words);
    expect((refused as Refusal).detail).not.toContain("secret");
    expect(await documents.read("a", WHAT, signal)).toBe(8);
    expect(read).toEqual(["a", "a"]);
  });

  test("of the largest size is read", async () => {
    expect(await documentsOf(["1234"]).documents.read("a", WHAT, signal)).toBe(1234);
  });

  test("that may be absent stands for something, which is looked for again where it has no time to live", async () => {
    const missing = new CogError("not-found", "404");
    const kept = documentsOf([missing], { absent: undefined });
    expect([await kept.documents.read("a", WHAT, signal), await kept.documents.read("a", WHAT, signal)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(kept.read).toHaveLength(1);
    const ttlMs = (value: number | undefined): number => (value === undefined ? 0 : Number.POSITIVE_INFINITY);
    const again = documentsOf([missing, "9"], { absent: undefined, ttlMs });
    expect(await again.documents.read("a", WHAT, signal)).toBeUndefined();
    expect([await again.documents.read("a", WHAT, signal), await again.documents.read("a", WHAT, signal)]).toEqual([
      9, 9,
    ]);
    expect(again.read).toHaveLength(2);
  });

  test("that does not come within its deadline cannot be read; without one it is waited for until callers leave", async () => {
    const untilAborted = (own: AbortSignal | undefined) =>
      new Promise<Uint8Array>((_, reject) => own?.addEventListener("abort", () => reject(own.reason)));
    const slow = documentsOf([untilAborted], { deadlineMs: 1 });
    await expect(slow.documents.read("a", WHAT, signal)).rejects.toMatchObject({ code: "upstream-unavailable" });
    const caller = new AbortController();
    const left = documentsOf([untilAborted]).documents.read("a", WHAT, caller.signal);
    const reason = new Error("left");
    caller.abort(reason);
    await expect(left).rejects.toBe(reason);
  });
});
