import { readFile, rm, writeFile } from "node:fs/promises";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { DoctorReport } from "../src/report.ts";

const example = new URL("readme.generated.ts", import.meta.url);
let upstream: ServedUpstream;

beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"));
});
afterAll(async () => {
  await Promise.all([upstream.close(), rm(example, { force: true })]);
});

test("the README's example examines an upstream, here the synthetic archive, and its files", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const code = (/```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "")
    .replaceAll("https://earth-search.aws.element84.com/v1", upstream.url)
    .replace('"@swath/doctor"', '"../src/index.ts"')
    .replace("console.log(line)", "void line");
  await writeFile(example, `${code}\nexport { report };\n`);
  const { report } = (await import(example.href)) as { report: DoctorReport };
  expect(report.status).toBe("ok");
  const [only] = report.upstreams;
  expect(only?.collections.map(({ id }) => id)).toEqual(["sentinel-2-l2a"]);
  expect(only?.collections.flatMap(({ steps }) => steps.map(({ status }) => status))).toEqual(Array(6).fill("ok"));
});
