import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { FULL, LEAN, testService } from "../tools/harness.ts";

const { get, request } = await testService({}, { profile: FULL });

test.each([
  ["/v1/queryables", undefined],
  ["/v1/collections/sentinel-2-l2a/queryables", "sentinel-2-l2a"],
  ["/v1/collections/landsat-ot-l2/queryables", "landsat-ot-l2"],
])("%s is a JSON Schema that its own items fulfil, and everybody may read it", async (path, collection) => {
  const response = await request(path);
  expect(response.headers.get("Content-Type")).toBe("application/schema+json");
  const document = await response.json();
  expect(document).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `http://service.test${path}`,
    type: "object",
    additionalProperties: false,
  });
  expect(document.properties.geometry).toEqual({ title: "Footprint", format: "geometry-any" });
  expect(document.properties.datetime).toMatchObject({ type: "string", format: "date-time" });
  for (const { title } of Object.values(document.properties) as { title: string }[]) expect(title).not.toBe("");
  const names = Object.keys(document.properties);
  const ajv = new Ajv2020({ strictTypes: false, formats: { "date-time": true, "geometry-any": true } });
  const validate = ajv.compile(document);
  const filter = collection === undefined ? "" : `&collections=${collection}`;
  const { features } = await (await get(`/v1/search?limit=50${filter}`)).json();
  expect(features.length).toBeGreaterThan(5);
  for (const { id, collection: of, geometry, properties } of features) {
    const named = Object.entries({ ...properties, id, collection: of, geometry }).filter(([name]) =>
      names.includes(name),
    );
    expect([id, validate(Object.fromEntries(named)), validate.errors]).toEqual([id, true, null]);
  }
});

/** Names of the properties in a document. */
async function names(path: string): Promise<readonly string[]> {
  return Object.keys((await (await request(path)).json()).properties);
}

test("a collection's queryables are its own: Landsat has paths and rows, Sentinel-2 tiles", async () => {
  const landsat = await names("/v1/collections/landsat-ot-l2/queryables");
  const sentinel = await names("/v1/collections/sentinel-2-l2a/queryables");
  expect(landsat).toContain("landsat:wrs_path");
  expect(landsat).not.toContain("s2:mgrs_tile");
  expect(sentinel).toContain("s2:mgrs_tile");
  expect(new Set(await names("/v1/queryables"))).toEqual(
    new Set([...(await names("/v1/queryables")), ...landsat, ...sentinel]),
  );
});

/** The collections that the synthetic archive has items of: it has no writer of JPEG 2000. */
async function archivedCollections() {
  const { collections } = await (await request("/v1/collections")).json();
  return collections.filter(({ id }: { id: string }) => id !== "sentinel-2-l1c");
}

test("a collection's queryables are those that its items have, and its platforms are listed", {
  tags: ["S36"],
}, async () => {
  for (const { id, summaries } of await archivedCollections()) {
    const { properties } = await (await request(`/v1/collections/${id}/queryables`)).json();
    const { features } = await (await get(`/v1/search?limit=100&collections=${id}`)).json();
    expect(features.length).toBeGreaterThan(0);
    for (const name of Object.keys(properties)) {
      const isHad = features.some((item: { properties: Record<string, unknown> }) => {
        const value = { ...item, ...item.properties }[name];
        return value !== undefined && value !== null;
      });
      expect([id, name, isHad]).toEqual([id, name, true]);
    }
    expect([id, properties.platform.enum]).toEqual([id, summaries.platform?.toSorted()]);
    if (summaries.platform === undefined) continue;
    // which satellite made a granule of HLS is not always known
    const known = [...summaries.platform, ...(id === "hls" || id === "optical-sr" ? [undefined] : [])];
    for (const item of features) expect(known).toContain(item.properties.platform);
  }
});

test("summaries have the range of cloud cover, where items have one", { tags: ["C18"] }, async () => {
  for (const { id, summaries } of await archivedCollections()) {
    const { features } = await (await get(`/v1/search?limit=100&collections=${id}`)).json();
    const covers = features.flatMap((item: { properties: Record<string, number> }) => {
      return item.properties["eo:cloud_cover"] ?? [];
    });
    const range = summaries["eo:cloud_cover"];
    expect([id, range]).toEqual([id, covers.length === 0 ? undefined : { minimum: 0, maximum: 100 }]);
    for (const cover of covers) expect(cover >= range.minimum && cover <= range.maximum).toBe(true);
  }
});

test("the landing page and each collection link to their queryables, an alias to the canonical ones", async () => {
  const rel = "http://www.opengis.net/def/rel/ogc/1.0/queryables";
  const links = async (path: string) => (await (await request(path)).json()).links;
  expect(await links("/v1")).toContainEqual(
    expect.objectContaining({ rel, href: "http://service.test/v1/queryables" }),
  );
  const own = (await links("/v1/collections/sentinel-2-l2a")).find((link: { rel: string }) => link.rel === rel);
  expect(own).toMatchObject({ type: "application/schema+json" });
  expect((await request(new URL(own.href).pathname)).status).toBe(200);
  const byAlias = await request("/v1/collections/landsat-c2-l2/queryables");
  expect(byAlias.headers.get("Content-Location")).toBe("http://service.test/v1/collections/landsat-ot-l2/queryables");
});

test("an unknown collection is 404, and lean v1 has no queryables", async () => {
  expect((await request("/v1/collections/nowhere/queryables")).status).toBe(404);
  const lean = await testService({}, { profile: LEAN });
  expect((await lean.request("/v1/queryables")).status).toBe(404);
  expect((await lean.request("/v1/sortables")).status).toBe(404);
  expect((await lean.request("/v1/collections/sentinel-2-l2a/queryables")).status).toBe(404);
});

test("sortables are the queryables but the footprint", { tags: ["N21"] }, async () => {
  const { collections } = await (await request("/v1/collections")).json();
  for (const path of ["/v1", ...collections.map(({ id }: { id: string }) => `/v1/collections/${id}`)]) {
    const [queryables, sortables] = [await names(`${path}/queryables`), await names(`${path}/sortables`)];
    expect([path, ["geometry", ...sortables].sort()]).toEqual([path, queryables.toSorted()]);
  }
});

test("each sortable sorts in both directions by what items show, and what is none is refused", {
  tags: ["N21"],
}, async () => {
  for (const name of await names("/v1/sortables")) {
    for (const sign of ["%2B", "-"]) {
      const { features } = await (await get(`/v1/search?limit=200&sortby=${sign}${name}`)).json();
      const values = features.map(
        (item: { properties: Record<string, unknown> }) => ({ ...item, ...item.properties })[name] ?? null,
      );
      const there = values.filter((value: unknown) => value !== null);
      // items without a value come last in both directions
      expect([name, sign, values.slice(0, there.length)]).toEqual([name, sign, there]);
      const sorted = there.toSorted((a: unknown, b: unknown) => compare(a, b) * (sign === "-" ? -1 : 1));
      expect([name, sign, there]).toEqual([name, sign, sorted]);
    }
  }
  expect((await get("/v1/search?sortby=geometry")).status).toBe(400);
});

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
}
