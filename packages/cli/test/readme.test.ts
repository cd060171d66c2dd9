import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import { main } from "../src/index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const file = new URL("readme-example.generated.ts", import.meta.url);
afterAll(() => rmSync(file, { force: true }));

test("the program of the README prints the presets of a collection", async () => {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  writeFileSync(file, (code ?? "").replace('"@swath/cli"', '"../src/index.ts"'));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  expect((await import(file.href)).code).toBe(0);
  expect(log.mock.calls).toEqual([[expect.arrayContaining(["true-color", "ndvi"])]]);
  log.mockRestore();
});

test("the commands of the README are those of the program, each with its arguments", async () => {
  let help = "";
  await main(["--help"], {
    write: (text) => (help += text),
    warn: () => {},
    isWatched: false,
    openScenes: () => Promise.reject(new Error("Nothing is asked.")),
    signal: new AbortController().signal,
    environment: {},
  });
  const usage = (text: string): string => text.replaceAll(/[<>[\]]/g, "").toLowerCase();
  const listed = [...readme.matchAll(/^\| `(\w+[^`]*)` /gm)].map(([, each = ""]) => usage(each));
  const commands = [
    ...help.matchAll(/^ {2}([a-z][a-z-]*(?: \[?<?\w+>?\]?)*?)(?: \[options\])?((?: [[<]\w+[\]>])*) {2}/gm),
  ];
  const own = commands
    .map(([, name = "", rest = ""]) => usage(`${name}${rest}`))
    .filter((each) => !each.startsWith("help"));
  expect(own.length).toBe(11);
  for (const each of own) expect(listed).toContain(each);
});
