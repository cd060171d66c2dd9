import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEY, leanApp, sandboxServices } from "../tools/harness.ts";

const STAC = "stac.old.example";
const TILES = "tiles.old.example";
let server: ReturnType<typeof serve>;
let port: number;

beforeAll(async () => {
  const app = leanApp(await sandboxServices({ legacy: { hosts: { stac: STAC, tiles: TILES } } }));
  server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const listening = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(listening));
  });
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((done) => server.close(done)));

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** Plain HTTP, as a script without any library speaks it; addresses name the old hosts. */
function send(method: string, address: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const { host, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path: pathname + search,
        headers: { Host: host, "X-API-KEY": KEY, ...headers },
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            body: Buffer.concat(pieces),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const json = <T>({ body }: Answer): T => JSON.parse(body.toString()) as T;

test("a script that knows only the old hosts searches, renders and downloads by their links", {
  tags: ["Y31"],
}, async () => {
  interface Page {
    features: { id: string; collection: string }[];
    links: { rel: string; href: string; body?: unknown }[];
  }
  const search = { collections: ["sentinel-2-c1-l2a"], bbox: [13.2, 45.4, 13.4, 45.6], limit: 3 };
  const first = json<Page>(await send("POST", `http://${STAC}/search`, search));
  const next = first.links.find(({ rel }) => rel === "next");
  expect(next?.href).toBe(`http://${STAC}/search`);
  const second = json<Page>(await send("POST", next?.href ?? "", next?.body));
  const ids = [...first.features, ...second.features].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);

  const scene = `http://${TILES}/collections/sentinel-2-c1-l2a/items/${ids.at(-1)}`;
  const document = json<{ tiles: string[] }>(
    await send("GET", `${scene}/WebMercatorQuad/tilejson.json?assets=visual&tile_format=png`),
  );
  const template = document.tiles[0] ?? "";
  expect(template).toContain(`http://${TILES}/`);
  const tile = await send("GET", template.replace("{z}", "10").replace("{x}", "550").replace("{y}", "365"));
  expect([tile.status, tile.type]).toEqual([200, "image/png"]);

  const body = { collection: "sentinel-2-c1-l2a", item: ids.at(-1), bbox: [13.25, 45.48, 13.27, 45.5], bands: ["red"] };
  const answer = json<{ url: string; bytes: number }>(await send("POST", `http://${TILES}/downloads`, body));
  // the link of the answer leads to the same host, and needs no key
  expect(new URL(answer.url).host).toBe(TILES);
  const file = await send("GET", answer.url, undefined, { "X-API-KEY": "" });
  expect([file.status, file.body.length, file.body.subarray(0, 4).toString("latin1")]).toEqual([
    200,
    answer.bytes,
    "II*\0",
  ]);
});

test("the old hosts serve nothing but themselves, the service nothing of them outside its mounts", {
  tags: ["Y31"],
}, async () => {
  expect((await send("GET", `http://${STAC}/v1/collections`)).status).toBe(404);
  expect((await send("GET", `http://${TILES}/v1/conformance`)).status).toBe(404);
  expect((await send("GET", "http://127.0.0.1/healthz")).status).toBe(404);
  expect((await send("GET", "http://127.0.0.1/legacy/tiles/healthz")).status).toBe(200);
});
