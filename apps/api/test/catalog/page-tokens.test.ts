import { createUpstreamCatalog } from "@swath/catalog";
import { pageTokens } from "@swath/catalog/node";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";

const tokens = pageTokens(Buffer.from("a secret"));
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const tokenText = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 300 });

test("what is signed is read, and nothing that differs in a character", { tags: ["S37"] }, () => {
  fc.assert(
    fc.property(tokenText, fc.nat(), fc.constantFrom(...ALPHABET), (token, place, character) => {
      const signed = tokens.sign(token) ?? "";
      expect(signed).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(tokens.read(signed)).toBe(token);
      const at = place % signed.length;
      const changed = `${signed.slice(0, at)}${character}${signed.slice(at + 1)}`;
      if (changed !== signed) expect(() => tokens.read(changed)).toThrow("not one of this service");
      expect(() => tokens.read(signed.slice(0, -1))).toThrow("not one of this service");
      expect(() => tokens.read(`${signed}A`)).toThrow("not one of this service");
      expect(() => tokens.read(token)).toThrow("not one of this service");
      expect(() => pageTokens(Buffer.from("another secret")).read(signed)).toThrow("not one of this service");
    }),
  );
});

test("a token that would be too long to be sent back is not signed", () => {
  expect(tokens.sign("a".repeat(7478))).toHaveLength(7500);
  expect(tokens.sign("a".repeat(7479))).toBeUndefined();
  expect(() => tokens.read("")).toThrow("not one of this service");
});

/** So many items of one time: places among them are found again by what the upstream said of its page. */
const ITEMS = 450;

/** An upstream whose pages are linked by tokens of its own, with a header; it keeps what it is asked. */
function linkedUpstream() {
  const asked: { readonly url: string; readonly headers: Record<string, string>; readonly body: string }[] = [];
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    type: "Feature",
    stac_version: "1.0.0",
    id: `S2A_T33TUL_20240710T100559_L2A_${String(i).padStart(3, "0")}`,
    collection: "sentinel-2-c1-l2a",
    geometry: { type: "Point", coordinates: [13, 46] },
    bbox: [13, 46, 13, 46],
    properties: { datetime: "2024-07-10T10:05:59Z", platform: "sentinel-2a" },
    assets: { red: { href: "https://sentinel-cogs.s3.us-west-2.amazonaws.com/x/B04.tif", type: "image/tiff" } },
    links: [],
  }));
  const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const body = String(init.body ?? "");
    asked.push({ url: String(url), headers: Object.fromEntries(new Headers(init.headers)), body });
    const { limit = 10, page = 0 } = JSON.parse(body || "{}") as { limit?: number; page?: number };
    const next = {
      rel: "next",
      method: "POST",
      href: "https://up.test/search",
      merge: true,
      headers: { "Search-After": `opaque-${page + 1}` },
      body: { page: page + 1 },
    };
    return Response.json({
      type: "FeatureCollection",
      features: items.slice(page * limit, (page + 1) * limit),
      links: (page + 1) * limit < items.length ? [next] : [],
    });
  };
  return { asked, fetch };
}

const tokenOf = (links: readonly { rel: string; href: string; body?: { token: string } }[]): string => {
  const next = links.find(({ rel }) => rel === "next");
  return next?.body?.token ?? new URL(next?.href ?? "").searchParams.get("token") ?? "";
};

/** The token with what it carries changed, as whoever knows its form would write it: signed by nobody. */
function forged(signed: string): string {
  const carried = Buffer.from(signed.slice(22), "base64url").toString();
  const changed = carried.replaceAll("opaque", "forged");
  expect(changed).not.toBe(carried);
  return Buffer.from(changed).toString("base64url");
}

/** The token of the first page that can only be found again by the upstream's own words. */
async function carryingToken(service: TestService, path: string): Promise<string> {
  let token = "";
  for (let page = 0; page < 4; page++) {
    const query = token === "" ? path : `${path}&token=${token}`;
    token = tokenOf((await (await service.get(query)).json()).links);
    if (Buffer.from(token.slice(22), "base64url").toString().includes("opaque-")) return token;
  }
  throw new Error("No token carries a header of the upstream.");
}

describe.each([
  { name: "full", profile: FULL },
  { name: "lean", profile: LEAN },
])("tokens of the $name profile", ({ name, profile }) => {
  async function upstreamService(): Promise<{
    service: TestService;
    asked: ReturnType<typeof linkedUpstream>["asked"];
  }> {
    const { asked, fetch } = linkedUpstream();
    const registry = profile.registry.withUpstreams(["default"]);
    const catalog = createUpstreamCatalog({ url: "https://up.test", registry, retries: 0, fetch });
    return { service: await testService({ catalog, registry }, { profile: { ...profile, registry } }), asked };
  }

  test("a forged token is 400 and sends nothing to the upstream; the service's own goes on", {
    tags: ["S37"],
  }, async () => {
    const { service, asked } = await upstreamService();
    const path = "/v1/search?collections=sentinel-2-l2a&limit=100";
    const token = await carryingToken(service, path);
    asked.length = 0;
    const own = await service.get(`${path}&token=${token}`);
    expect(own.status).toBe(200);
    expect(asked.map(({ headers }) => headers["search-after"])).toContainEqual(expect.stringMatching(/^opaque-\d$/));
    asked.length = 0;
    const false1 = forged(token);
    for (const bad of [
      false1,
      `${token.slice(0, 22)}${false1}`,
      `${token}A`,
      token.slice(22),
      pageTokens(Buffer.from("another secret")).sign(token.slice(22)) ?? "",
    ]) {
      const refused = await service.get(`${path}&token=${bad}`);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ code: "invalid-parameter", errors: [{ pointer: "token" }] });
      const body = { collections: ["sentinel-2-l2a"], limit: 100, token: bad };
      const posted = await service.post("/v1/search", body);
      expect(await posted.json()).toMatchObject({ status: 400, code: "invalid-body", errors: [{ pointer: "/token" }] });
      expect((await service.get(`/v1/collections/sentinel-2-l2a/items?limit=100&token=${bad}`)).status).toBe(400);
    }
    expect(asked).toEqual([]);
  });

  test("any node of an installation takes the tokens of another, and walks to the end", { tags: ["S37"] }, async () => {
    const nodes = [(await upstreamService()).service, (await upstreamService()).service] as const;
    const found: string[] = [];
    let token = "";
    for (let page = 0; ; page++) {
      const body = { collections: ["sentinel-2-l2a"], limit: 99, ...(token === "" ? {} : { token }) };
      const { features, links } = await (await (nodes[page % 2] as TestService).post("/v1/search", body)).json();
      found.push(...features.map(({ id }: { id: string }) => id));
      if (!links.some(({ rel }: { rel: string }) => rel === "next")) break;
      token = tokenOf(links);
    }
    expect(new Set(found).size).toBe(ITEMS);
    expect(found).toHaveLength(ITEMS);
  });

  test("the list of collections takes its own tokens alone", { tags: ["S37"] }, async () => {
    const service = await testService({}, { profile });
    const { links } = await (await service.request("/v1/collections?limit=1")).json();
    const token = tokenOf(links);
    expect((await (await service.request(`/v1/collections?limit=1&token=${token}`)).json()).numberReturned).toBe(1);
    const items = await (await service.get("/v1/search?limit=1")).json();
    for (const bad of ["1", "0", `${token}0`, tokenOf(items.links)]) {
      expect((await service.request(`/v1/collections?limit=1&token=${bad}`)).status).toBe(400);
    }
    expect((await service.get(`/v1/search?limit=1&token=${token}`)).status).toBe(400);
  });

  test.runIf(name === "full")("the tool search takes signed tokens alone", { tags: ["S37"] }, async () => {
    const { service, asked } = await upstreamService();
    const session = await startSession(service);
    const input = { collections: ["sentinel-2-l2a"], limit: 100 };
    const token = await carryingToken(service, "/v1/search?collections=sentinel-2-l2a&limit=100");
    asked.length = 0;
    const refused = await session.call("search", { ...input, token: forged(token) });
    expect(refused.result).toMatchObject({ isError: true, structuredContent: { code: "invalid-body" } });
    expect(asked).toEqual([]);
    expect((await session.call("search", { ...input, token })).result.isError).not.toBe(true);
  });
});
