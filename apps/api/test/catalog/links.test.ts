import { beforeAll, describe, expect, test } from "vitest";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";

const ORIGIN = "http://service.test";
/** Addresses of one kind that are followed: all items have the same form. */
const MOST_OF_A_KIND = 4;

/** Returns the kind of an address, with the parts taken out that differ among items, tiles and pages. */
function kindOf(path: string): string {
  const { pathname, search } = new URL(path, ORIGIN);
  return `${pathname
    .replace(/\/items\/[^/]+/, "/items/*")
    .replace(/^\/archive\/.*(\.\w+)$/, "/archive/*$1")
    .replace(/\/\d+\/\d+\/\d+(?=\.|$)/, "/*")}?${[...new URLSearchParams(search).keys()].sort().join("&")}`;
}

/** Every `href` and `src` of a JSON document that a GET asks for, however deep. */
function* hrefsOf(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const { href, method = "GET", templated, tiles } = value as Record<string, unknown>;
  if (typeof href === "string" && method === "GET" && templated !== true) yield href;
  // of TileJSON the tile at its centre would do, which the tests of tiles ask for
  if (Array.isArray(tiles)) return;
  for (const member of Object.values(value)) yield* hrefsOf(member);
}

function linksOf(type: string, body: string): string[] {
  if (/json/.test(type)) return [...hrefsOf(JSON.parse(body))];
  if (!type.startsWith("text/html")) return [];
  return [...body.matchAll(/\s(?:href|src)="([^"#]+)/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
}

interface Visit {
  readonly path: string;
  readonly from: string;
}

/** Follows every link of the service's own documents from some on; what does not answer 200. */
async function crawl(
  service: TestService,
  starts: readonly string[],
): Promise<{ readonly visited: readonly string[]; readonly broken: string[] }> {
  const queue: Visit[] = starts.map((path) => ({ path, from: "the start" }));
  const seen = new Set(starts);
  const kinds = new Map<string, number>();
  const broken: string[] = [];
  for (let visit = queue.shift(); visit !== undefined; visit = queue.shift()) {
    const { path, from } = visit;
    const response = await service.get(path);
    if (response.status !== 200) broken.push(`${from} → ${path}: ${response.status}`);
    const type = response.headers.get("Content-Type") ?? "";
    const isText = /json|html/.test(type);
    if (!isText) await response.body?.cancel();
    for (const href of isText ? linksOf(type, await response.text()) : []) {
      const target = new URL(href, new URL(path, ORIGIN));
      const address = `${target.pathname}${target.search}`;
      // templates are filled by clients; pages of the documentation have a test of their own
      if (target.origin !== ORIGIN || /[{}]|%7B/i.test(href) || seen.has(address)) continue;
      if (path.startsWith("/docs") && address.startsWith("/docs")) continue;
      const kind = kindOf(address);
      const known = kinds.get(kind) ?? 0;
      if (known >= MOST_OF_A_KIND) continue;
      kinds.set(kind, known + 1);
      seen.add(address);
      queue.push({ path: address, from: path });
    }
  }
  return { visited: [...seen], broken };
}

describe.each([
  { name: "lean v1", profile: LEAN, starts: ["/v1", "/v1/presets"] },
  {
    name: "the full profile",
    profile: FULL,
    starts: ["/v1", "/v1/presets", "/v1/openeo", "/v1/wmts/WMTSCapabilities.xml"],
  },
])("in $name", ({ profile, starts }) => {
  let found: Awaited<ReturnType<typeof crawl>>;
  beforeAll(async () => {
    found = await crawl(await testService({}, { profile }), starts);
  });

  test("every link of the service's own documents answers 200", { tags: ["L4"] }, () => {
    expect(found.broken).toEqual([]);
  });

  test("links lead from the landing page to all collections, items, previews, searches and documents", () => {
    const { visited } = found;
    for (const { id } of profile.registry.listed) expect(visited).toContain(`/v1/collections/${id}`);
    for (const path of ["/v1/collections", "/v1/conformance", "/v1/schema", "/v1/openapi.json", "/v1/search", "/docs"])
      expect(visited).toContain(path);
    expect(visited.some((path) => /\/items\/[^/?]+$/.test(path))).toBe(true);
    expect(visited.some((path) => /preview\.\w+/.test(path))).toBe(true);
    expect(visited.length).toBeGreaterThan(40);
  });
});
