import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { openOutput } from "../../src/service/log.ts";

/** A stream that keeps what is written to it. */
function stream(isTTY: boolean): Writable & { readonly isTTY: boolean; readonly lines: () => string[] } {
  let text = "";
  const out = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  return Object.assign(out, { isTTY, lines: () => text.split("\n").filter((line) => line !== "") });
}

/** Returns the lines of a start, of a request and of a warning. */
async function say(settings: Parameters<typeof openOutput>[0], out: ReturnType<typeof stream>): Promise<string[]> {
  const { log, print } = await openOutput(settings, out);
  print("Swath listens on http://127.0.0.1:8080");
  log.info({ method: "GET", path: "/v1", status: 200 }, "request");
  log.warn("an upstream is slow");
  await expect.poll(() => out.lines().join()).toContain("slow");
  return out.lines();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's colours are control characters
const plain = (line: string): string => line.replace(/\x1b\[\d+m/g, "");

test("on a terminal the addresses stay in sight: requests are not logged, what is wrong is a short line", async () => {
  const lines = (await say({}, stream(true))).map(plain);
  expect(lines).toEqual([
    "Swath listens on http://127.0.0.1:8080",
    expect.stringMatching(/^\[\d\d:\d\d:\d\d\] WARN: an upstream is slow$/),
  ]);
});

test("on a terminal requests are one short line each where the level asks for them", async () => {
  const lines = (await say({ logLevel: "info" }, stream(true))).map(plain);
  expect(lines[1]).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: request \{"method":"GET","path":"\/v1","status":200\}$/);
});

test("elsewhere the addresses are lines for people, and the log is JSON with a line for each request", async () => {
  const [first, ...rest] = await say({}, stream(false));
  expect(first).toBe("Swath listens on http://127.0.0.1:8080");
  expect(rest.map((line) => JSON.parse(line))).toMatchObject([
    { msg: "request", path: "/v1" },
    { msg: "an upstream is slow" },
  ]);
});

test("where JSON is set every line is JSON, on a terminal too", async () => {
  const lines = (await say({ logFormat: "json" }, stream(true))).map((line) => JSON.parse(line));
  expect(lines.map(({ msg }) => msg)).toEqual([
    "Swath listens on http://127.0.0.1:8080",
    "request",
    "an upstream is slow",
  ]);
});
