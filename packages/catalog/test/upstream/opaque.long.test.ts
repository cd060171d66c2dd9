import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import {
  type Catalog,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  type Item,
  type MergeableCatalog,
} from "../../src/index.ts";
import { search } from "../catalog-suite.ts";
import type { Document } from "../fixtures.ts";
import { isSentinel, twoUpstreams } from "../merged/two-upstreams.ts";
import { type OpaqueOptions, opaqueUpstream } from "./opaque-upstream.ts";
import { thereAndBack } from "./there-and-back.ts";
import { upstreamItems } from "./upstream-items.ts";

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** Items, and pages of a twelfth of them. */
const COUNT = searches(1200, 12_000);
const LARGE = COUNT / 12;

describe(`${COUNT} items behind opaque tokens, over loopback`, { timeout: 180_000 }, () => {
  const items = upstreamItems((COUNT * 7) / 6, 3)
    .filter(({ properties }) => (properties as Document).platform !== "landsat-7")
    .slice(0, COUNT);
  const whole = createArchiveCatalog({ items });
  let expected: string[];
  beforeAll(async () => {
    const all: string[] = [];
    for (let token: string | undefined, isOver = false; !isOver; ) {
      const page = await whole.search(search({ limit: 1000, ...(token === undefined ? {} : { token }) }));
      all.push(...ids(page.items));
      token = page.next;
      isOver = token === undefined;
    }
    expected = all;
    expect(new Set(expected).size).toBe(COUNT);
  });
  const closers: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(closers.map((close) => close())));

  async function served(some: Document[], options: OpaqueOptions, name = "default"): Promise<MergeableCatalog> {
    const { url, close } = await opaqueUpstream(some, options).listen();
    closers.push(close);
    return createUpstreamCatalog({
      url,
      retries: 0,
      registry: name === "both" ? undefined : twoUpstreams,
      name: name === "both" ? "default" : name,
    });
  }
  const several = async (options: OpaqueOptions): Promise<Catalog> =>
    createMergedCatalog({
      catalogs: {
        default: await served(items.filter(isSentinel), options),
        second: await served(
          items.filter((item) => !isSentinel(item)),
          { ...options, form: "GET" },
          "second",
        ),
      },
      registry: twoUpstreams,
    });

  test.each([
    { name: "one upstream", make: (options: OpaqueOptions) => served(items, options, "both") },
    { name: "two merged upstreams", make: several },
  ])(
    "$name: to the end and back in twelve pages, nothing twice, nothing missing",
    { tags: ["N8"] },
    async ({ make }) => {
      const { there, back, pages } = await thereAndBack(await make({}), [LARGE]);
      expect(pages).toBe(12);
      expect(there).toEqual(expected);
      expect(back).toEqual(expected);
    },
  );

  test.each([
    { name: "one upstream", make: (options: OpaqueOptions) => served(items, options, "both") },
    { name: "two merged upstreams", make: several },
  ])("$name: 40 pages of 7 and back to the first", async ({ make }) => {
    const { there, back, backPages } = await thereAndBack(await make({}), [7], search(), 40);
    expect(there).toEqual(expected.slice(0, 280));
    expect(back).toEqual(expected.slice(0, 280));
    expect(backPages).toBe(40);
  });

  test.each([
    { name: "one upstream", make: (options: OpaqueOptions) => served(items, options, "both") },
    { name: "two merged upstreams", make: several },
  ])(
    "$name: a way back also where the upstream has none, in large pages and in pages of 7",
    { tags: ["N8"] },
    async ({ make }) => {
      for (const [limit, most] of [
        [LARGE, 20],
        [7, 15],
      ] as const) {
        const catalog = await make({ hasPrev: false });
        const { there, back, backPages, pages } = await thereAndBack(catalog, [limit], search(), most);
        expect(there).toEqual(expected.slice(0, limit * most));
        expect(back).toEqual(there);
        expect(backPages).toBe(pages);
      }
    },
  );
});
