import create from "stac-js";
import { beforeAll, describe, expect, test } from "vitest";
import { startEngine } from "../../../../test/tools/engines.ts";
import { stacFaults } from "../../../../test/tools/stac-validator.ts";
import { accountNode } from "../accounts/account-service.ts";
import { json, lightService, type Page } from "../tools/answers.ts";
import { KEY, type TestService, testService } from "../tools/harness.ts";
import { rowRules } from "../tools/row-rules.ts";
import { serveSandbox } from "./served.ts";

const schemas = process.env.SWATH_SCHEMAS;

/** Names of the members of an item and of its files, with its platform: items of one form differ by their values alone. */
function formOf({ collection, properties, assets }: Page["features"][number]): string {
  const names = (members: object): string => Object.keys(members).toSorted().join(" ");
  return [collection, properties.platform, names(properties), names(assets)].join("\n");
}

describe.skipIf(schemas === undefined)("stac-node-validator", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });

  const documents = ["/v1", "/v1/collections/sentinel-2-l2a", "/v1/collections/landsat-ot-l2"];
  const rules = rowRules(
    {
      D1: ["/v1"],
      C2: ["/v1/collections/sentinel-2-l2a", "/v1/collections/landsat-ot-l2"],
      C4: ["/v1/collections/sentinel-2-l2a", "/v1/collections/landsat-ot-l2"],
    },
    documents,
  );

  for (const path of documents) {
    test(`finds nothing wrong with ${path} and its extensions`, { tags: ["W5", ...rules(path)] }, async () => {
      expect(await stacFaults(await json(service.request(path)))).toEqual([]);
    });
  }

  test("finds nothing wrong with the items of the archive and others from all over the world", {
    tags: ["I2", "W5"],
    timeout: 400_000,
  }, async () => {
    const archive = await json<Page>(service.get("/v1/search?limit=1000"));
    const { service: worldwide } = await lightService(200);
    const world = await json<Page>(worldwide.get("/v1/search?limit=14&sortby=%2Bid"));
    const landsat = await json<Page>(worldwide.get("/v1/search?limit=8&collections=landsat-ot-l2"));
    // of the archive two of each form: the scenes of a place differ by their values alone
    const first = new Map(archive.features.toReversed().map((item) => [formOf(item), item]));
    const last = new Map(archive.features.map((item) => [formOf(item), item]));
    const items = new Set([...first.values(), ...last.values(), ...world.features, ...landsat.features]);
    expect(items.size).toBeGreaterThanOrEqual(30);
    for (const item of items) expect([item.id, await stacFaults(item)]).toEqual([item.id, []]);
  });

  test("finds nothing wrong with documents that name keys, tokens and OAuth", async () => {
    const engine = await startEngine("sqlite");
    const node = await accountNode(await engine.fresh());
    const [item] = (await json<Page>(node.get("/v1/search?limit=1&collections=sentinel-2-l2a"))).features;
    const documents = [await json(node.get("/v1")), await json(node.get("/v1/collections/sentinel-2-l2a")), item];
    for (const document of documents) {
      expect(JSON.stringify(document)).toContain("clientCredentials");
      expect(await stacFaults(document)).toEqual([]);
    }
    await node.close();
    await engine.stop();
  });

  test("finds the fault of an item that lacks its geometry", async () => {
    const [item] = (await json<Page>(service.get("/v1/search?limit=1"))).features;
    expect((await stacFaults({ ...item, geometry: undefined })).length).toBeGreaterThan(0);
  });
});

test("stac-js finds the thumbnail of an item, which is an image for who has a key", async () => {
  const served = await serveSandbox();
  try {
    const headers = { "X-API-Key": KEY };
    const page = await json<Page>(fetch(`${served.url}/v1/search?limit=3`, { headers }));
    expect(page.features).toHaveLength(3);
    for (const feature of page.features) {
      const self = feature.links.find(({ rel }) => rel === "self")?.href ?? "";
      const thumbnails = create(feature).getThumbnails();
      expect(thumbnails.map((each) => [each.type, each.getAbsoluteUrl()])).toEqual([
        ["image/png", `${self}/preview.png`],
      ]);
      const image = await fetch(thumbnails[0]?.getAbsoluteUrl() ?? "", { headers });
      expect([image.status, image.headers.get("Content-Type")]).toEqual([200, "image/png"]);
      expect([...new Uint8Array(await image.arrayBuffer()).subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
    }
  } finally {
    await served.close();
  }
});
