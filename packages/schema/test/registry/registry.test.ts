import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../src/cli-run.ts";
import {
  type CollectionFile,
  CollectionFileError,
  parseAnyCollectionFile,
  parseCollectionFile,
} from "../../src/files.ts";
import { createRegistry, defaultRegistry, SchemaError } from "../../src/index.ts";
import { collectionFileFaults } from "../../src/parse/parse.ts";
import { BUILT_IN_IDS } from "../../src/registry/generated.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (id: string): string => readFileSync(join(root, "collections", `${id}.json`), "utf8");
const fileOf = (id: string): CollectionFile => parseCollectionFile(textOf(id), `${id}.json`);
const [first, second, third] = BUILT_IN_IDS.map(fileOf) as [CollectionFile, CollectionFile, CollectionFile];

/** A mask of bits with another meaning of those of one class. */
function withMeaning(mask: CollectionFile["mask"], name: string, meaning: string): CollectionFile["mask"] {
  if (mask?.kind !== "bit-flags") throw new Error("Expected a mask of bits.");
  return { ...mask, bits: mask.bits.map((bit) => (bit.class === name ? { ...bit, meaning } : bit)) };
}

/** The first file with another value at a path; without a value the member is deleted. */
function changed(path: readonly (string | number)[], value?: unknown): object {
  const file = structuredClone(first);
  let owner: unknown = file;
  for (const step of path.slice(0, -1)) owner = (owner as Record<string | number, unknown>)[step];
  const last = path.at(-1) ?? "";
  if (value === undefined) delete (owner as Record<string | number, unknown>)[last];
  else (owner as Record<string | number, unknown>)[last] = value;
  return file;
}

function errorOf(make: () => unknown): SchemaError {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    return error as SchemaError;
  }
  throw new Error("Nothing was thrown.");
}

test("a registry of the shipped files is the default one", () => {
  const virtual = parseAnyCollectionFile(textOf("optical-sr"), "optical-sr.json");
  const registry = createRegistry([...BUILT_IN_IDS.map(fileOf), virtual]);
  expect(registry.ids).toEqual(defaultRegistry.ids);
  expect(registry.listed).toEqual(defaultRegistry.listed);
  expect(registry.collections).toEqual(defaultRegistry.collections);
  expect(registry.schemaDocument()).toBe(defaultRegistry.schemaDocument());
  expect(registry.presets).toEqual(defaultRegistry.presets);
});

describe("files that do not fit each other", () => {
  test.each([
    {
      name: "an id that is an alias elsewhere",
      files: () => [first, { ...second, id: "S2L2A" }],
      code: "duplicate-name",
      given: "S2L2A",
    },
    {
      name: "an alias given twice",
      files: () => [first, { ...second, aliases: [...(second.aliases ?? []), ...(first.aliases ?? [])] }],
      code: "duplicate-name",
      given: "S2L2A",
    },
    {
      name: "a recipe of no preset",
      files: () => [{ ...first, recipes: { "true-colour": { assets: ["visual"] } } }],
      code: "unknown-preset",
      given: "true-colour",
    },
    {
      name: "two meanings of a bit of one mask source",
      files: () => [second, { ...third, mask: withMeaning(third.mask, "cloud", "Something else") }],
      code: "conflicting-fact",
      given: "qa_pixel",
    },
    {
      name: "two meanings of a queryable",
      files: () => [
        first,
        { ...second, queryables: [{ name: "s2:mgrs_tile", kind: "number" as const, title: "Tile" }] },
      ],
      code: "conflicting-fact",
      given: "s2:mgrs_tile",
    },
  ])("$name is $code", ({ files, code, given }) => {
    expect(errorOf(() => createRegistry(files()))).toMatchObject({ code, given });
  });

  test("a preset that is nearly one is suggested", () => {
    const error = errorOf(() => createRegistry([{ ...first, recipes: { "true-colour": { assets: ["visual"] } } }]));
    expect(error.suggestions[0]).toBe("true-color");
  });
});

test("sensors without a cirrus band share the mask source of those with one", () => {
  const registry = createRegistry([third, second]);
  expect(registry.mask("qa_pixel")).toEqual({ ...second.mask });
  expect(registry.resolve("landsat-etm-l2").maskCapabilities).not.toContain("cirrus");
  expect(registry.schemaData().mask).toEqual(createRegistry([second]).schemaData().mask);
});

test("a preset is offered for the collections that have a recipe, and for no others", () => {
  const registry = createRegistry([{ ...first, recipes: {} }, second]);
  for (const preset of registry.presets) {
    expect(preset).toMatchObject({ collection: second.id, collections: [second.id] });
    expect(Object.keys(preset["svc:recipes"] ?? {})).toEqual([second.id]);
  }
  expect(createRegistry([{ ...first, recipes: {} }]).presets).toEqual([]);
});

test("collections of one upstream collection are all found by it, and by upstream name", () => {
  const other = { ...second, id: "older", aliases: [], platforms: ["landsat-7"], queryables: [] };
  const registry = createRegistry([first, second, { ...other, upstream: { ...second.upstream, name: "second" } }]);
  const ids = (name?: string) => registry.findByUpstream("landsat-c2-l2", name).map(({ id }) => id);
  expect(ids()).toEqual([second.id, "older"]);
  expect(ids("second")).toEqual(["older"]);
  expect(registry.findByUpstream("landsat-c2l2-sr", "default").map(({ id }) => id)).toEqual([second.id]);
  expect(registry.withUpstreams(["second"]).ids).toEqual(["older"]);
});

describe("a collection file", () => {
  test.each([
    {
      name: "a scale that is text",
      path: ["bands", 3, "scale"],
      value: "0.0001",
      fault: '/bands/3/scale: expected a number, got "0.0001".',
    },
    {
      name: "a missing title",
      path: ["title"],
      value: undefined,
      fault: "/title: expected text, got nothing.",
    },
    {
      name: "an unknown member",
      path: ["plattforms"],
      value: [],
      fault: '/plattforms: expected no member of this name, got []. Did you mean "platforms"?',
    },
    {
      name: "a kind of rule that code does not know",
      path: ["mask", "kind"],
      value: "table",
      fault: '/mask/kind: expected one of class-table, bit-flags, got "table".',
    },
    {
      name: "a pattern that does not compile",
      path: ["upstream", "idPatterns"],
      value: ["("],
      fault: '/upstream/idPatterns/0: expected a regular expression, got "(".',
    },
    {
      name: "a mask band that is no band",
      path: ["mask", "band"],
      value: "SLC",
      fault: '/mask/band: expected the name of a band, got "SLC". Did you mean "SCL"?',
    },
    {
      name: "a band of indices that is none",
      path: ["indexBands"],
      value: { nir: "nir80" },
      fault: '/indexBands/nir: expected a common name of a band, got "nir80". Did you mean "nir08"?',
    },
    {
      name: "an asset of a recipe that the upstream lacks",
      path: ["recipes", "ndvi", "assets", 1],
      value: "rd",
      fault:
        '/recipes/ndvi/assets/1: expected a member of upstream.assets, or the name of a band, got "rd". Did you mean "red"?',
    },
    {
      name: "factors of stored numbers that are scaled",
      path: ["recipes", "ndvi", "alternatives"],
      value: [{ assets: ["nir", "red"], factors: [1, 0.5] }],
      fault: /^\/recipes\/ndvi\/alternatives\/0\/factors: expected no factors without units/,
    },
    {
      name: "another number of factors than of assets",
      path: ["recipes", "ndvi"],
      value: { assets: ["nir", "red"], alternatives: [{ assets: ["nir", "red"], factors: [1] }], units: "REFLECTANCE" },
      fault: /^\/recipes\/ndvi\/alternatives\/0\/factors: expected 2 factors, as there are assets/,
    },
    {
      name: "an offset rule without a definition",
      path: ["offsetRules"],
      value: undefined,
      fault: '/bands/0/offsetRule: expected a member of offsetRules, got "processing-baseline".',
    },
    {
      name: "a default that is not offered",
      path: ["defaultUnits"],
      value: "KELVIN",
      fault: '/defaultUnits: expected one of REFLECTANCE, DN, got "KELVIN".',
    },
    {
      name: "a name for two bands",
      path: ["bands", 1, "aliases", 0],
      value: "B01",
      fault: /^\/bands\/1: expected names that no other band has \("B01" is given twice\)/,
    },
  ])("with $name is refused with pointer, what was expected and what came", ({ path, value, fault }) => {
    const text = JSON.stringify(changed(path, value));
    const error = errorOf(() => parseCollectionFile(text, "mine.json")) as CollectionFileError;
    expect(error).toBeInstanceOf(CollectionFileError);
    expect(error.code).toBe("invalid-file");
    expect(error.faults.length).toBeGreaterThan(0);
    const [message = ""] = error.message.replace("mine.json: ", "").split(/ \(and \d+ more\)$/);
    if (typeof fault === "string") expect(message).toBe(fault);
    else expect(message).toMatch(fault);
  });

  test("that is no JSON is refused", () => {
    expect(errorOf(() => parseCollectionFile("{", "mine.json")).message).toMatch(
      /^mine\.json: the file: expected JSON, got /,
    );
  });

  test("that is shipped has no fault, and neither its byte order mark nor its $schema counts", () => {
    for (const id of BUILT_IN_IDS) expect(collectionFileFaults(JSON.parse(textOf(id)))).toEqual([]);
    expect(parseCollectionFile(`\uFEFF${textOf(first.id)}`, "x")).toEqual(first);
  });
});

describe("the command line", () => {
  async function run(args: readonly string[], text = "") {
    let out = "";
    const write = (part: string): void => {
      out += part;
    };
    const code = await runCli(args, { read: async () => text, write, warn: write });
    return { code, out };
  }

  test("passes shipped collection files without being given their kind", async () => {
    const passed = { code: 0, out: "1 file, 0 errors, 0 warnings\n" };
    expect(await run(["check", "mine.json"], textOf(first.id))).toEqual(passed);
  });

  test("names file, line, pointer, what was expected and what came", async () => {
    const text = JSON.stringify(changed(["zoom", "max"], "x"), null, 2);
    const line = text.slice(0, text.indexOf('"max": "x"')).split("\n").length;
    const message = `mine.json:${line}:12: error invalid-collection-file: /zoom/max: expected a number, got "x".`;
    for (const options of [[], ["--as", "collection"]]) {
      const { code, out } = await run(["check", ...options, "mine.json"], text);
      expect(code).toBe(1);
      expect(out).toContain(message);
    }
  });

  test("prints the JSON Schema of collection files", async () => {
    const { code, out } = await run(["print", "--collection-schema"]);
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(join(root, "json", "collection.schema.json"), "utf8"));
  });
});
