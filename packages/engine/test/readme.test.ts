import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCog } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { defaultRegistry } from "@swath/schema";
import { upstreamCollections } from "@swath/schema/upstreams";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const directory = new URL(".", import.meta.url);
const examples: URL[] = [];
let upstream: ServedUpstream;
let folder: string;

beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"));
  folder = await mkdtemp(join(tmpdir(), "swath-readme-"));
});
afterAll(async () => {
  await upstream.close();
  await Promise.all([
    rm(folder, { recursive: true, force: true }),
    ...examples.map((file) => rm(file, { force: true })),
  ]);
});

/** Runs an example of the README on the synthetic archive, and gives one of its constants. */
async function run(number: number, name: string): Promise<unknown> {
  const readme = await readFile(new URL("../README.md", directory), "utf8");
  const code = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)][number]?.[1] ?? "";
  expect(code.trim().split("\n").length, code).toBeLessThanOrEqual(13);
  const file = new URL(`readme-${number}.generated.ts`, directory);
  examples.push(file);
  const own = code
    .replaceAll("https://earth-search.aws.element84.com/v1", upstream.url)
    .replace('"@swath/engine/node"', '"../src/node.ts"')
    .replace(/"(\w+\.(?:png|tif))"/, (_, path: string) => JSON.stringify(join(folder, path)))
    .replace("console.log(datetime, value)", "void [datetime, value]");
  await writeFile(file, `${own}\nexport { ${name} };\n`);
  return ((await import(file.href)) as Record<string, unknown>)[name];
}

test("a tile of the README is a PNG with the scenes of the archive", async () => {
  const tile = (await run(0, "tile")) as { image: { used: readonly string[] }; attribution: string };
  expect(tile.image.used.length).toBeGreaterThan(0);
  expect(tile.attribution).toContain("Copernicus Sentinel data 2024");
  const bytes = await readFile(join(folder, "tile.png"));
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
});

test("the GeoTIFF of the README has the box, at the resolution that was asked for", async () => {
  await run(1, "file");
  const path = join(folder, "field.tif");
  const source = fileSource(path);
  const cog = await openCog(source);
  const { grid } = cog;
  expect([grid.transform[0], grid.transform[4]]).toEqual([expect.closeTo(10, 0), expect.closeTo(-10, 0)]);
  await source.close?.();
});

test("the curve of the README has a value for each overpass", async () => {
  const { observations } = (await run(2, "curve")) as {
    observations: readonly { itemId: string; value: number | null }[];
  };
  const search = {
    collections: upstreamCollections(defaultRegistry.find("sentinel-2-l2a")!.collection.upstream),
    intersects: { type: "Point", coordinates: [13.21, 45.46] },
    datetime: "2024-01-01T00:00:00Z/2024-12-31T23:59:59Z",
  };
  const answer = await fetch(`${upstream.url}/search`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(search),
  });
  const { features } = (await answer.json()) as { features: readonly { id: string }[] };
  expect(features.length).toBeGreaterThan(1);
  expect(observations.map(({ itemId }) => itemId).sort()).toEqual(features.map(({ id }) => id).sort());
  expect(observations.every(({ value }) => value === null || (value > -1 && value < 1))).toBe(true);
  expect(observations.some(({ value }) => value !== null)).toBe(true);
});
