import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [jobs = "", sqlite = ""] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
const scripts: URL[] = [];
afterAll(() => {
  for (const script of scripts) rmSync(script, { force: true });
});

const SOURCES = {
  "@swath/store": "../src/index.ts",
  "@swath/store/node": "../src/node.ts",
  "@swath/store/node/sqlite": "../src/node/sqlite.ts",
};

/** Runs an example of the README on the sources. */
async function run(name: string, code: string): Promise<object> {
  const script = new URL(`./readme-${name}.ts`, import.meta.url);
  scripts.push(script);
  const own = Object.entries(SOURCES).reduce((text, [entry, file]) => text.replace(`"${entry}"`, `"${file}"`), code);
  writeFileSync(script, own);
  return import(script.href);
}

test("the README's job counts the words of a note", async () => {
  expect(await run("jobs", jobs)).toMatchObject({ found: [{ id: "a", words: 3 }] });
});

test("the README's SQLite finds the clear scene, and the code of a constraint", async () => {
  expect(await run("sqlite", sqlite)).toMatchObject({ clear: [{ id: "S2A_33TUM_20240102" }], code: 19 });
});
