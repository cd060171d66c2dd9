import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const here = import.meta.dirname;
const folder = mkdtempSync(join(here, "readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Example {
  readonly app: { request(path: string, init: RequestInit): Promise<Response> };
  readonly town: Response;
  readonly problem: Response;
  readonly document: Response;
}
interface Description {
  readonly paths: Record<string, { get: { responses: Record<string, { headers: object }> } }>;
}
let example: Example;
beforeAll(async () => {
  const readme = readFileSync(join(here, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(join(folder, "example.ts"), code);
  example = (await import(pathToFileURL(join(folder, "example.ts")).href)) as Example;
});

test("the README's town is sent with an ETag, and not sent to who holds it", async () => {
  const { app, town } = example;
  expect([town.status, await town.json()]).toEqual([200, { name: "ghent" }]);
  const etag = town.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"s1-[0-9a-f]{16}"$/);
  const again = await app.request("/v1/towns/ghent", { headers: { "If-None-Match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("the README's problem says which parameters are wrong", async () => {
  const { problem } = example;
  expect([problem.status, problem.headers.get("Content-Type")]).toEqual([400, "application/problem+json"]);
  expect(await problem.json()).toMatchObject({
    type: "https://towns.example/problems/invalid-parameter",
    code: "invalid-parameter",
    instance: "/v1/towns/GHENT",
    requestId: problem.headers.get("X-Request-Id"),
    errors: [{ pointer: "name", detail: expect.stringContaining('got "GHENT"') }],
  });
});

test("the README's document has the statuses and headers that the operation answers", async () => {
  const { paths } = (await example.document.json()) as Description;
  const { responses } = paths["/v1/towns/{name}"]!.get;
  expect(Object.keys(responses)).toEqual(["200", "304", "400", "404", "500"]);
  expect(Object.keys(responses["200"]!.headers)).toEqual(["X-Request-Id", "ETag", "Cache-Control"]);
});
