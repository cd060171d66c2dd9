import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RULES } from "../../src/check/finding.ts";
import { checkText, type Finding, formatFindings } from "../../src/check/index.ts";
import { collections } from "../../src/index.ts";
import { fixtures, fixtureText } from "../fixtures.ts";

/** `line:column rule suggestion` of each finding. */
function brief(findings: readonly Finding[]): string[] {
  return findings.map(({ line, column, rule, suggestion }) => [`${line}:${column}`, rule, suggestion].join(" ").trim());
}

const REQUEST = `{
  "input": {
    "bounds": { "bbox": [10, 50, 11, 51] },
    "data": [{
      "type": "sentinel-2-l2a",
      "dataFilter": { "ids": ["S2A"] },
      "processing": { "units": "REFLECTANCE", "harmonize": "offset_removed" }
    }]
  },
  "bands": ["red", "B08", "nir08"],
  "output": { "width": 512, "height": 512 }
}`;

test("a right process request has no findings", () => {
  expect(checkText(REQUEST)).toEqual([]);
});

test.each([
  { from: '"B08"', to: '"B80"', expected: "10:21 unknown-band B08" },
  { from: '"sentinel-2-l2a"', to: '"sentinel-2-l2"', expected: "5:16 unknown-collection sentinel-2-l2a" },
  { from: '"REFLECTANCE"', to: '"REFLECTANCES"', expected: "7:33 unknown-unit REFLECTANCE" },
  { from: '"REFLECTANCE"', to: '"KELVIN"', expected: "7:33 units-unavailable" },
  { from: '"offset_removed"', to: '"offset-removed"', expected: "7:61 unknown-harmonize-level offset_removed" },
  { from: '"nir08"', to: '"SCL"', expected: "10:28 units-unavailable" },
  { from: '"nir08"', to: '"B8"', expected: "10:28 band-mismatch" },
  { from: '"sentinel-2-l2a"', to: '"naip"', expected: "5:16 unknown-collection" },
])("a process request with $to is reported with position and fault", ({ from, to, expected }) => {
  expect(brief(checkText(REQUEST.replace(from, to)))).toEqual([expected]);
});

test("a level of harmonization that a collection does not have is reported with position and fault", () => {
  const radar = REQUEST.replace('"sentinel-2-l2a"', '"sentinel-1-rtc"').replace('"offset_removed"', '"nbar"');
  expect(brief(checkText(radar))).toContain("7:61 harmonize-unavailable");
  expect(brief(checkText(REQUEST.replace('"offset_removed"', '"nbar"')))).toEqual([]);
});

test("class bands pass when stored values are requested", () => {
  const request = REQUEST.replace('"REFLECTANCE"', '"DN"').replace('"nir08"', '"SCL"');
  expect(checkText(request)).toEqual([]);
});

test("mask classes are checked in cloud-mask settings and capabilities, not in the fields of a search", () => {
  const text = `{ "collections": ["sentinel-2-l2a"], "fields": { "exclude": ["geometry"] },
  "cloudMask": { "exclude": ["cloud", "cloud-shadow"] },
  "properties": { "svc:mask_capabilities": ["snow"], "svc:mask_source": "slc" } }`;
  expect(brief(checkText(text))).toEqual([
    "2:40 unknown-mask-class cloud_shadow",
    "3:46 unknown-mask-class snow_ice",
    "3:74 unknown-mask-source scl",
  ]);
});

test("a search body names its collections", () => {
  expect(checkText('{"collections": ["LOTL2", "COPERNICUS/S2_SR"], "limit": 5}')).toEqual([]);
  expect(brief(checkText('{"collections": ["LOTL3"]}'))).toEqual(["1:19 unknown-collection LOTL2"]);
});

test("a plain list may hold any name, with comments and ties to a collection", () => {
  const text = "# bands we use\nB04, nir08\ncloud_shadow REFLECTANCE ndvi true-color\nLOTL2:SR_B5\n";
  expect(checkText(text)).toEqual([]);
  expect(brief(checkText("B04\nnir8 SRB5\nLOTL2:B99 # no such band\n"))).toEqual([
    "2:1 unknown-name nir08",
    "2:6 unknown-name SR_B5",
    "3:7 unknown-band",
  ]);
});

test("a list tied to one collection knows only its bands", () => {
  const collection = collections["landsat-ot-l2"];
  expect(checkText("SR_B4 red", { collection })).toEqual([]);
  expect(brief(checkText("rededge1", { collection }))).toEqual(["1:1 unknown-name"]);
  expect(checkText("rededge1")).toEqual([]);
});

test("a JSON array of names is a list with positions", () => {
  expect(brief(checkText('["B04",\n "nir80"]'))).toEqual(["2:3 unknown-name nir08"]);
});

test("text that does not parse is a finding at its position", () => {
  expect(brief(checkText('{"bands": ["B04",]\n}'))[0]).toBe("1:18 invalid-json");
  expect(brief(checkText("", { as: "json" }))).toEqual(["1:1 invalid-json"]);
  expect(brief(checkText("7", { as: "json" }))).toEqual(["1:1 unknown-document"]);
});

test("a document nested without end is a finding, not a crash", () => {
  expect(brief(checkText("[".repeat(200_000)))).toEqual(["1:1 invalid-json"]);
});

test.each(["toString", "__proto__", "constructor"])(
  "a member called %s is one that the schema does not know",
  (name) => {
    expect(checkText(`{"bands": ["B4"], "${name}": ""}`)).toEqual(checkText('{"bands": ["B4"], "other": ""}'));
  },
);

test("no text makes the check throw, and every position is within the text", () => {
  const words = fc.constantFrom(
    '"bands"',
    '"input"',
    '"assets"',
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"B04"',
    "null",
    "\n",
    "7",
  );
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(words, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const lines = text.split("\n");
      for (const finding of checkText(text)) {
        expect(Object.keys(RULES)).toContain(finding.rule);
        expect(finding.line).toBeLessThanOrEqual(lines.length);
        expect(finding.column).toBeLessThanOrEqual((lines[finding.line - 1] ?? "").length + 1);
      }
    }),
  );
});

describe.skipIf(fixtures === undefined)("recorded documents", () => {
  const es = ["stac", "earth-search", "v1"] as const;
  const right = [
    [...es, "sentinel-2-c1-l2a.T13TDE-10-items.json"],
    [...es, "sentinel-2-c1-l2a.collection-2024.json"],
    [...es, "item-sentinel-2-l2a-baseline-02.14.body.json"],
    [...es, "sentinel-2-l2a.S2A_28QCH_20200714_0_L2A.json"],
    [...es, "search-fields-exclude.body.json"],
    ["stac", "earth-search", "v0", "search-sentinel-s2-l2a-cogs.body.json"],
    ["stac", "stac-1.1", "earth-search-next.S2B_T01LAC_20260830.trimmed.json"],
    ["stac", "stac-1.1", "pair-a.after-1.1.0.json"],
    ["stac", "usgs", "landsat-c2-l2.LC09_L2SP_010065_20220129_02_T1.json"],
    ["stac", "usgs", "search-landsat-c2l2-sr.body.json"],
    ["cog", "sentinel-2-l2a", "S2A_29RKH_20200219_0_L2A", "S2A_29RKH_20200219_0_L2A.json"],
  ].map((path) => path.join("/"));

  test.each(right)("%s has no findings", (path) => {
    expect(checkText(fixtureText(path))).toEqual([]);
  });

  test("Planetary Computer's B8A is distinguished from the red edge, as a warning", () => {
    const findings = checkText(fixtureText("stac", "planetary-computer", "sentinel-2-l2a.items.json"));
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding).toMatchObject({ level: "warning", rule: "band-mismatch", suggestion: "nir08" });
    }
  });

  test("an offset stated for pixels that have it taken out already is a warning on every reflectance COG", () => {
    const findings = checkText(fixtureText(...es, "item-sentinel-2-l2a-baseline-05.00.body.json"));
    expect(findings).toHaveLength(12);
    for (const finding of findings) {
      expect(finding).toMatchObject({ level: "warning", rule: "scaling-mismatch", given: "-0.1", suggestion: "0" });
    }
  });

  test("bands of Landsat 4 to 7 in a collection document are not those of Landsat 8 and 9", () => {
    const findings = checkText(fixtureText("stac", "planetary-computer", "landsat-c2-l2.collection.json"));
    expect(findings.map(({ given }) => given).sort()).toEqual(["atmos_opacity", "cloud_qa", "lwir"]);
  });

  test("an item without a collection is checked once the collection is given", () => {
    const text = fixtureText("stac", "stac-1.1", "antimeridian-S2A_T01WCS_20230625.json");
    expect(checkText(text)).toMatchObject([{ level: "warning", rule: "missing-collection" }]);
    expect(checkText(text, { collection: collections["sentinel-2-l2a"] })).toEqual([]);
  });

  test("a broken item gets the line and the fix", () => {
    const text = fixtureText(...es, "search-two-collections-page1.body.json");
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    const broken = pretty
      .replace('"name": "OLI_B4"', '"name": "OLI_4B"')
      .replace('"collection": "landsat-c2-l2"', '"collection": "landsat-c2_l2x"');
    const lineOf = (part: string) => broken.slice(0, broken.indexOf(part)).split("\n").length;
    const errors = checkText(broken, { collection: collections["landsat-ot-l2"] }).filter(
      ({ level }) => level === "error",
    );
    expect(errors).toContainEqual(
      expect.objectContaining({ rule: "unknown-band", line: lineOf('"OLI_4B"'), suggestion: "OLI_B4" }),
    );
    expect(errors).toContainEqual(
      expect.objectContaining({ rule: "unknown-collection", line: lineOf("c2_l2x"), suggestion: "landsat-c2-l2" }),
    );
    const found = errors.map(({ line, given }) => broken.split("\n")[line - 1]?.includes(given ?? "?"));
    expect(found.every(Boolean)).toBe(true);
  });
});

test("findings are written as lines, JSON and SARIF with the same positions", () => {
  const files = [{ file: "a b.txt", findings: checkText("nir80") }];
  expect(formatFindings(files, "text")).toBe(
    'a b.txt:1:1: error unknown-name: Nothing in the schema is called "nir80". Did you mean "nir08"?\n' +
      "1 file, 1 error, 0 warnings\n",
  );
  expect(JSON.parse(formatFindings(files, "json"))).toMatchObject({
    errors: 1,
    warnings: 0,
    files: [{ file: "a b.txt", findings: [{ line: 1, column: 1, endColumn: 6, suggestion: "nir08" }] }],
  });
  const region = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 6 };
  expect(JSON.parse(formatFindings(files, "sarif"))).toMatchObject({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "swath-schema" } },
        results: [
          {
            ruleId: "unknown-name",
            level: "error",
            locations: [{ physicalLocation: { artifactLocation: { uri: "a%20b.txt" }, region } }],
            fixes: [
              { artifactChanges: [{ replacements: [{ deletedRegion: region, insertedContent: { text: "nir08" } }] }] },
            ],
          },
        ],
      },
    ],
  });
});
