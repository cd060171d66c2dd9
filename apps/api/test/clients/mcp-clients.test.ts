import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FULL, KEY } from "../tools/harness.ts";
import type { ToolResult } from "../tools/mcp-client.ts";
import { type Served, serveSandbox } from "./served.ts";

let served: Served;
beforeAll(async () => {
  served = await serveSandbox(FULL);
});
afterAll(() => served?.close());

const INFO = { name: "test", version: "1" };
const POINT = { type: "Point", coordinates: [13.21, 45.46] };
const SERIES = { geometry: POINT, datetime: "2024-01-01/2024-12-31", index: "ndvi" };

/** The calls that tests make of a client, whichever library it is of. */
interface AnyClient {
  readonly version: () => string | undefined;
  readonly tools: () => Promise<readonly { readonly name: string }[]>;
  readonly resources: () => Promise<readonly { readonly uri: string; readonly name: string }[]>;
  readonly read: (uri: string) => Promise<string>;
  readonly call: (name: string, input: object) => Promise<ToolResult>;
  readonly close: () => Promise<void>;
}

const requestInit = { headers: { "X-API-Key": KEY } };
const textOf = (contents: readonly object[]): string => String((contents[0] as { text?: string }).text);

async function connectV1(): Promise<AnyClient> {
  const client = new ClientV1(INFO);
  const transport = new TransportV1(new URL(`${served.url}/mcp`), { requestInit });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    version: () => transport.protocolVersion,
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    call: async (name, input) => (await client.callTool({ name, arguments: { ...input } })) as unknown as ToolResult,
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function connectV2(pin?: string): Promise<AnyClient> {
  const client = new Client(INFO, pin === undefined ? {} : { versionNegotiation: { mode: { pin } } });
  const transport = new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit });
  await client.connect(transport);
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    call: async (name, input) => (await client.callTool({ name, arguments: { ...input } })) as unknown as ToolResult,
    close: () => client.close(),
  };
}

test.each([
  { library: "SDK 1.x", connect: connectV1, version: "2025-11-25" },
  { library: "SDK 2.x", connect: connectV2, version: "2025-11-25" },
  { library: "SDK 2.x without sessions", connect: () => connectV2("2026-07-28"), version: "2026-07-28" },
])(
  "the client of $library lists, calls and reads, and takes every answer for right",
  { tags: ["MC1"] },
  async ({ connect, version }) => {
    const client = await connect();
    try {
      expect(client.version()).toBe(version);
      // clients hold every answer of a tool against the schemas that they listed
      const tools = await client.tools();
      expect(tools.map(({ name }) => name)).toEqual(["collections", "search", "render", "timeseries", "statistics"]);

      const all = await client.call("collections", {});
      expect(all.structuredContent.numberReturned).toBe(9);
      const one = await client.call("collections", { collection: "S2L2A" });
      expect(one.structuredContent.collections).toMatchObject([{ id: "sentinel-2-l2a", bands: expect.any(Array) }]);

      const found = await client.call("search", { collections: ["sentinel-2-l2a"], datetime: "2024-07-04", limit: 1 });
      const [scene] = found.structuredContent.features as { id: string }[];
      const whole = await client.call("search", { ids: [scene?.id], fields: { exclude: [] } });
      expect(whole.structuredContent.features).toMatchObject([{ id: scene?.id, assets: expect.any(Object) }]);

      const image = await client.call("render", { preset: "ndvi", item: scene?.id, size: 64 });
      expect(image.content.map(({ type }) => type)).toEqual(["text", "image", "resource_link"]);

      const series = await client.call("timeseries", SERIES);
      expect(series.structuredContent.count).toBe(3);
      const numbers = await client.call("statistics", {
        input: { bounds: { bbox: [13.2, 45.45, 13.22, 45.47] }, data: [{ type: "sentinel-2-l2a" }] },
        aggregation: { timeRange: { from: "2024-07-01", to: "2024-07-31" }, width: 8, height: 8 },
        index: "ndvi",
      });
      expect(numbers.structuredContent.status).toBe("OK");

      const refused = await client.call("timeseries", { ...SERIES, index: "ndiv" });
      expect(refused).toMatchObject({ isError: true, structuredContent: { status: 400 }, _meta: { units: 0 } });

      const resources = await client.resources();
      expect(resources.map(({ name }) => name)).toEqual(["presets", "schema"]);
      const presets = JSON.parse(await client.read(resources[0]?.uri ?? "")) as object;
      expect(presets).toEqual(await (await fetch(`${served.url}/v1/presets`)).json());
    } finally {
      await client.close();
    }
  },
);
