import { afterAll, beforeAll, expect, test } from "vitest";
import { type EngineHost, startEngine } from "../../../../test/tools/engines.ts";
import { json, type Page } from "../tools/answers.ts";
import { FULL, LEAN, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";
import { type AccountNode, accountNode, SITE } from "./account-service.ts";

interface Document {
  readonly "auth:schemes"?: object;
  readonly links: readonly { readonly rel: string; readonly "auth:refs"?: readonly string[] }[];
  readonly assets?: Readonly<Record<string, { readonly "auth:refs"?: readonly string[] }>>;
}

/** `auth:refs` of links, by their relations, and of the thumbnail. */
const refsOf = ({ links, assets }: Document): object => ({
  ...Object.fromEntries(
    links.flatMap((each) => (each["auth:refs"] === undefined ? [] : [[each.rel, each["auth:refs"]]])),
  ),
  ...(assets?.thumbnail === undefined ? {} : { thumbnail: assets.thumbnail["auth:refs"] }),
});

const OWNERS_KEY = {
  type: "apiKey",
  in: "header",
  name: "X-API-Key",
  description: "A key issued by the owner of the service.",
};
const ALL = ["apiKey", "bearer", "oauth2"];
const SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
  bearer: { type: "http", scheme: "bearer" },
  oauth2: {
    type: "oauth2",
    flows: {
      clientCredentials: {
        tokenUrl: `${SITE}/oauth/token`,
        scopes: { data: expect.any(String), account: expect.any(String) },
      },
    },
  },
};

let engine: EngineHost;
let node: AccountNode;
beforeAll(async () => {
  engine = await startEngine("sqlite");
  node = await accountNode(await engine.fresh());
});
afterAll(async () => {
  await node.close();
  await engine.stop();
});

test("where there are accounts, STAC documents name keys, tokens and how OAuth gives some", async () => {
  const landing = await json<Document>(node.get("/v1"));
  expect(landing["auth:schemes"]).toMatchObject(SCHEMES);
  expect(refsOf(landing)).toEqual({ search: ALL });
  for (const path of ["/v1/collections/sentinel-2-l2a", "/v1/openeo/collections/sentinel-2-l2a"])
    expect((await json<Document>(node.get(path)))["auth:schemes"]).toMatchObject(SCHEMES);
  expect(refsOf(await json(node.get("/v1/collections/sentinel-2-l2a")))).toEqual({ items: ALL });
  const [found] = (await json<Page>(node.get("/v1/search?limit=1&collections=sentinel-2-l2a"))).features;
  const item = await json(node.get(`/v1/collections/sentinel-2-l2a/items/${found?.id}`));
  for (const each of [found, item] as { properties: Record<string, unknown> }[]) {
    expect(each.properties["auth:schemes"]).toMatchObject(SCHEMES);
    expect(refsOf(each as never)).toEqual({ preview: ALL, thumbnail: ALL });
  }
  const session = await startSession(node);
  const { result } = await session.call("search", { limit: 1, fields: { include: ["properties.auth:schemes"] } });
  expect(result.structuredContent.features).toMatchObject([{ properties: { "auth:schemes": SCHEMES } }]);
});

test.each([
  { name: "lean v1", profile: LEAN },
  { name: "a service without accounts", profile: FULL },
])("$name names the key of the owner alone", async ({ profile }) => {
  const service = await testService({}, { profile });
  const landing = await json<Document>(service.get("/v1"));
  expect(landing["auth:schemes"]).toEqual({ apiKey: OWNERS_KEY });
  expect(refsOf(landing)).toEqual({ search: ["apiKey"] });
  const [item] = (await json<Page>(service.get("/v1/search?limit=1&collections=sentinel-2-l2a"))).features;
  expect(item?.properties["auth:schemes"]).toEqual({ apiKey: OWNERS_KEY });
  expect(refsOf(item as never)).toEqual({ preview: ["apiKey"], thumbnail: ["apiKey"] });
});

test("the links of an account lead to its keys and its usage", async () => {
  const token = await node.signIn("ann@example.org");
  const { links } = await (await node.send("GET", "/v1/account", undefined, token)).json();
  expect(links.map(({ rel, href }: { rel: string; href: string }) => [rel, href])).toEqual([
    ["self", `${SITE}/v1/account`],
    ["keys", `${SITE}/v1/keys`],
    ["usage", `${SITE}/v1/usage`],
  ]);
});
