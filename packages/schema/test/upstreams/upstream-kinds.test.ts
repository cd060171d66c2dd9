import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../src/cli-run.ts";
import {
  type CollectionFile,
  CollectionFileError,
  parseAnyCollectionFile,
  parseCollectionFile,
  type UpstreamKindFile,
} from "../../src/files.ts";
import { createRegistry, defaultRegistry } from "../../src/index.ts";
import {
  collectionFileFaults,
  isUpstreamKindFile,
  parseServiceFile,
  upstreamKindJsonSchema,
} from "../../src/parse/parse.ts";
import { findUpstreamKind, UPSTREAM_KINDS, upstreamKindOf } from "../../src/upstreams.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (folder: string, id: string): string => readFileSync(join(root, folder, `${id}.json`), "utf8");
const collection = (id: string): CollectionFile => parseCollectionFile(textOf("collections", id), `${id}.json`);
const unknown = findUpstreamKind("stac-api") as UpstreamKindFile;

test("the kinds are those of the files", () => {
  const shipped = readdirSync(join(root, "upstreams")).map((name) => name.replace(".json", ""));
  expect(UPSTREAM_KINDS.map(({ id }) => id).sort()).toEqual(shipped.sort());
  for (const id of shipped) {
    const { $schema, ...file } = parseServiceFile(textOf("upstreams", id), `${id}.json`);
    expect(findUpstreamKind(id)).toEqual(file);
    expect($schema).toBe("../json/upstream.schema.json");
  }
});

describe("the kind of an upstream", () => {
  test.each([
    ["https://earth-search.aws.element84.com/v1", "earth-search"],
    ["https://PlanetaryComputer.Microsoft.com/api/stac/v1", "planetary-computer"],
    ["https://cmr.earthdata.nasa.gov/stac/LPCLOUD", "cmr-stac"],
    ["https://landsatlook.usgs.gov/stac-server", "landsatlook"],
    ["https://stac.dataspace.copernicus.eu/v1", "copernicus-dataspace"],
    ["https://stac.example.org", "stac-api"],
    ["https://earth-search.aws.element84.com.example.org/v1", "stac-api"],
    ["no address", "stac-api"],
  ])("at %s is %s", (address, id) => {
    expect(upstreamKindOf(address).id).toBe(id);
  });

  test("is that of a file of one's own where it names the host, with its port, or all hosts of a domain", () => {
    const own: UpstreamKindFile = { ...unknown, id: "mine", hosts: ["*.example.org", "127.0.0.1:8081"] };
    const idOf = (address: string): string => upstreamKindOf(address, [own]).id;
    expect(idOf("https://stac.example.org/v1")).toBe("mine");
    expect(idOf("http://127.0.0.1:8081")).toBe("mine");
    expect(idOf("http://127.0.0.1:8082")).toBe("stac-api");
    expect(idOf("https://example.org")).toBe("stac-api");
    const other: UpstreamKindFile = { ...own, id: "other", hosts: ["earth-search.aws.element84.com"] };
    expect(upstreamKindOf("https://earth-search.aws.element84.com/v1", [other]).id).toBe("other");
    expect(findUpstreamKind("mine", [own])).toBe(own);
    // an own file takes the place of a built-in one of its id
    expect(findUpstreamKind("stac-api", [{ ...own, id: "stac-api" }])?.hosts).toEqual(own.hosts);
    expect(findUpstreamKind("nothing", [own])).toBeUndefined();
  });
});

describe("the file of a kind", () => {
  const text = textOf("upstreams", "cmr-stac");
  const faultOf = (old: string, value: string): string => {
    try {
      parseServiceFile(text.replace(old, value), "mine.json");
    } catch (error) {
      expect(error).toBeInstanceOf(CollectionFileError);
      return (error as Error).message;
    }
    return "none";
  };

  test.each([
    [
      '"missing": "unknown"',
      '"missing": "first"',
      /^mine\.json: \/sort\/missing: expected one of last, unknown, got "first"\.$/,
    ],
    ['["gte", "lte"]', '["gte", "atLeast"]', /^mine\.json: \/conditions\/query/],
    ['"size": 250', '"size": 2500', /^mine\.json: \/paging\/size: expected .*1000, got 2500/],
    ['"paging"', '"pageing"', /paging/],
    ['"cmr.earthdata.nasa.gov"', '"https://cmr.earthdata.nasa.gov"', /^mine\.json: \/hosts\/0/],
    ['"perSecond": 5', '"perSecond": 0', /^mine\.json: \/rate\/perSecond/],
  ])("with %s as %s is refused with its place", (old, value, message) => {
    expect(faultOf(old, value)).toMatch(message);
  });

  test("is no collection file, and a collection file is no kind", () => {
    expect(isUpstreamKindFile(parseServiceFile(text, "mine.json"))).toBe(true);
    expect(() => parseAnyCollectionFile(text, "mine.json")).toThrow(
      /^mine\.json: \/kind: expected the file of a collection/,
    );
    expect(isUpstreamKindFile(parseServiceFile(textOf("collections", "hls"), "hls.json"))).toBe(false);
  });

  test("is recognized and checked by the command, which prints its JSON Schema", async () => {
    const run = async (args: readonly string[], content: string) => {
      let out = "";
      const write = (part: string): void => {
        out += part;
      };
      const code = await runCli(args, { read: async () => content, write, warn: write });
      return { code, out };
    };
    expect(await run(["check", "mine.json"], text)).toEqual({ code: 0, out: "1 file, 0 errors, 0 warnings\n" });
    const wrong = await run(["check", "mine.json"], text.replace('"size": 250', '"size": 0'));
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain("invalid-collection-file: /paging/size");
    expect(await run(["print", "--upstream-schema"], "")).toEqual({ code: 0, out: upstreamKindJsonSchema() });
    expect((await run(["print", "--upstream-schema", "--collection-schema"], "")).code).toBe(2);
  });
});

describe("a collection's upstream", () => {
  const sentinel = collection("sentinel-2-l2a");
  const withUpstream = (members: object): object => ({ ...sentinel, upstream: { ...sentinel.upstream, ...members } });
  const fallback = { collection: "older", tile: ["s2:mgrs_tile"] };

  test.each([
    { otherNames: { elsewhere: ["a"] }, path: ["upstream", "otherNames", "elsewhere"] },
    { fallbacks: [{ ...fallback, collection: "sentinel-2-c1-l2a" }], path: ["upstream", "fallbacks", 0, "collection"] },
    { fallbacks: [{ ...fallback, tile: ["s2:mgrs_tiel"] }], path: ["upstream", "fallbacks", 0, "tile", 0] },
    {
      fallbacks: [{ ...fallback, times: [["2023-01-01T00:00:00Z", "2022-01-01T00:00:00Z"]] }],
      path: ["upstream", "fallbacks", 0, "times", 0],
    },
  ])("is refused with $path", ({ path, ...members }) => {
    expect(collectionFileFaults(withUpstream(members)).map((fault) => fault.path)).toEqual([path]);
  });

  test("comes from the first of its alternatives that is there, where its own upstream is not", () => {
    const at = (names: readonly string[], alternatives?: readonly string[]) =>
      defaultRegistry.withUpstreams(names, alternatives).find("hls")?.collection.upstream;
    expect(at(["lpcloud", "pc"], ["pc"])).toMatchObject({ name: "lpcloud", collection: "HLSL30_2.0" });
    expect(at(["pc"], ["pc"])).toMatchObject({ name: "pc", collection: "hls2-l30", furtherCollections: ["hls2-s30"] });
    expect(at(["pc"], ["pc"])?.otherNames).toBeUndefined();
    // the synthetic archive stands for upstreams, and has no items of alternatives
    expect(at(["default", "pc"])).toBeUndefined();
    expect(at(["default"], ["default"])).toBeUndefined();
    const mss = (names: readonly string[]) =>
      defaultRegistry.withUpstreams(names, names).find("landsat-mss-l1")?.collection.upstream;
    expect(mss(["usgs", "pc"])).toMatchObject({ name: "usgs", collection: "landsat-c2l1" });
    expect(mss(["pc"])).toMatchObject({ name: "pc", collection: "landsat-c2-l1" });
  });

  test("leads from items of every name that it may have to the collection", () => {
    const registry = createRegistry([sentinel, collection("hls")]);
    const ids = (name: string) => registry.findByUpstream(name).map(({ id }) => id);
    expect(ids("sentinel-2-c1-l2a")).toEqual(["sentinel-2-l2a"]);
    expect(ids("sentinel-2-l2a")).toEqual(["sentinel-2-l2a"]);
    for (const name of ["HLSL30_2.0", "HLSL30.v2.0", "HLSS30_2.0", "HLSS30.v2.0"]) expect(ids(name)).toEqual(["hls"]);
  });
});
