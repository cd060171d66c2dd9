import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseExpression } from "@swath/raster";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { json } from "../tools/answers.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";

const { SWATH_SCHEMAS } = process.env;

interface Render {
  readonly assets: readonly string[];
  readonly expression?: string;
  readonly rescale?: readonly (readonly number[])[];
}
interface Collection {
  readonly id: string;
  readonly stac_extensions: readonly string[];
  readonly item_assets: Readonly<Record<string, unknown>>;
  readonly renders?: Readonly<Record<string, Render>>;
}

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});
const all = async (of: TestService): Promise<readonly Collection[]> =>
  ((await json(await of.request("/v1/collections"))) as { collections: Collection[] }).collections;

describe("renders of collections", () => {
  test("name assets of the items, and expressions over these", { tags: ["IM11"] }, async () => {
    const collections = await all(service);
    const having = collections.filter(({ renders }) => renders !== undefined);
    expect(having.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["sentinel-2-l2a", "landsat-ot-l2", "sentinel-1-rtc"]),
    );
    for (const { id, item_assets, renders = {}, stac_extensions } of having) {
      const page = await json(await service.get(`/v1/collections/${id}/items?limit=1`));
      const [item] = (page as { features: { assets: object }[] }).features;
      // the finished true-color image is an asset without bands
      const known = ["visual", ...Object.keys(item_assets), ...Object.keys(item?.assets ?? {})];
      expect([id, stac_extensions.join()]).toEqual([id, expect.stringContaining("/render/")]);
      for (const [preset, { assets, expression, rescale = [] }] of Object.entries(renders)) {
        for (const asset of assets) expect([id, preset, known]).toEqual([id, preset, expect.arrayContaining([asset])]);
        for (const text of expression?.split(";") ?? []) expect(() => parseExpression(text, assets)).not.toThrow();
        for (const range of rescale) expect(range).toHaveLength(2);
      }
    }
    const sentinel = having.find(({ id }) => id === "sentinel-2-l2a")?.renders;
    expect(sentinel?.ndvi).toMatchObject({
      ...{
        assets: ["B08", "B04"],
        expression: "(B08-B04)/(B08+B04-2000)",
        rescale: [[-0.2, 0.8]],
        colormap_name: "rdylgn",
      },
    });
  });

  test("are none of collections whose files alone do not give the numbers, and none in lean v1", {
    tags: ["IM11"],
  }, async () => {
    expect((await all(service)).find(({ id }) => id === "optical-sr")?.renders).toBeUndefined();
    const lean = await all(await testService({}, { profile: LEAN }));
    expect(lean.map(({ renders }) => renders)).toEqual([undefined, undefined]);
  });

  test.skipIf(SWATH_SCHEMAS === undefined)("are as the extension's schema says", { tags: ["IM11"] }, async () => {
    const path = join(SWATH_SCHEMAS ?? "", "ext/render/v2.0.0/schema.json");
    const schema = JSON.parse(readFileSync(path, "utf8")) as { definitions: { fields: object } };
    const ajv = addFormats.default(new Ajv({ strict: false }));
    const validate = ajv.compile(schema.definitions.fields);
    for (const { id, renders = {} } of await all(service)) {
      for (const [preset, render] of Object.entries(renders)) {
        expect([id, preset, validate(render), ajv.errorsText(validate.errors)]).toEqual([
          id,
          preset,
          true,
          "No errors",
        ]);
      }
    }
  });
});
