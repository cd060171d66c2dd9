import type { IncomingMessage } from "node:http";
import { paceStates } from "@swath/engine/files";
import { RenderPool } from "@swath/engine/node";
import type { SourceSettings } from "@swath/engine/node/files";
import { afterEach, expect, test } from "vitest";
import { type Answer, type Loopback, serveLoopback } from "../../../../test/tools/loopback.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { archiveFile, movedServices } from "../tools/moved-files.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(answer: (request: IncomingMessage, count: number) => Answer | Promise<Answer>): Promise<Loopback> {
  const server = await serveLoopback(answer);
  closing.push(() => server.close());
  return server;
}

/** A service with two render threads over files of one host, whose signatures another one hands out. */
async function threaded(files: Loopback, tokens: Loopback): Promise<TestService> {
  const storage = { buckets: [], servers: [{ host: files.host, tokenService: `${tokens.url}/token` }] };
  const sources: SourceSettings = {
    assetHosts: [files.host],
    s3: { region: "us-west-2" },
    storage,
    paces: paceStates(storage, 2),
  };
  const pool = new RenderPool({ threads: 2, settings: { render: { blockCacheBytes: 64 << 20, sources } } });
  closing.push(() => pool.close());
  const parts = await movedServices(FULL.registry, (path) => `${files.url}/archive/${path}`, sources);
  return testService({ ...parts, renderer: pool }, { profile: FULL });
}

/** Tiles of one scene in squares side by side, which go to different threads. */
const tiles = [2200, 2204, 2208, 2201, 2205].map(
  (x) => `/v1/tiles/true-color/WebMercatorQuad/12/${x}/1460.png?datetime=2024-07-04/2024-07-04`,
);

async function sendFile({ url = "", headers }: IncomingMessage): Promise<Answer> {
  const bytes = await archiveFile(new URL(url, "http://files").pathname.replace("/archive/", ""));
  if (bytes === undefined) return { status: 404 };
  const [, start = "0", end = "0"] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? [];
  const last = Math.min(Number(end), bytes.length - 1);
  return {
    status: 206,
    headers: { "Content-Range": `bytes ${start}-${last}/${bytes.length}` },
    body: bytes.slice(Number(start), last + 1),
  };
}

const token = (): Answer => ({
  status: 200,
  body: JSON.stringify({ "msft:expiry": new Date(Date.now() + 3_600_000).toISOString(), token: "sig=good" }),
});

test("render threads ask for one token between them", { tags: ["AF7"] }, async () => {
  const tokens = await serve(token);
  const files = await serve((request) => (request.url?.endsWith("sig=good") ? sendFile(request) : { status: 409 }));
  const service = await threaded(files, tokens);
  const answers = await Promise.all(tiles.map((path) => service.get(path)));
  expect(answers.map(({ status }) => status)).toEqual(tiles.map(() => 200));
  expect(files.seen.length).toBeGreaterThan(3);
  expect(tokens.seen.map(({ url }) => url)).toEqual(["/token/127/archive"]);
});

test("a host that wants to be left alone is asked by no thread, and the client is told for how long", {
  tags: ["AF8"],
}, async () => {
  const tokens = await serve(token);
  const files = await serve(() => ({ status: 503, headers: { "Retry-After": "60" } }));
  const service = await threaded(files, tokens);
  const first = await service.get(tiles[0] ?? "");
  expect([first.status, first.headers.get("Retry-After")]).toEqual([503, "60"]);
  const asked = files.seen.length;
  for (const path of tiles.slice(1)) {
    const { status, headers } = await service.get(path);
    expect([status, Number(headers.get("Retry-After"))]).toEqual([503, expect.closeTo(60, -1)]);
  }
  expect(files.seen).toHaveLength(asked);
});

test("a token service that is asked too much is asked once, and its seconds reach the client", {
  tags: ["AF7"],
}, async () => {
  const body = '{"statusCode": 429, "message": "Rate limit is exceeded. Try again in 23 seconds."}';
  const tokens = await serve(() => ({ status: 429, headers: { "Content-Type": "application/json" }, body }));
  const files = await serve(() => ({ status: 409 }));
  const service = await threaded(files, tokens);
  const answers = await Promise.all(tiles.map((path) => service.get(path)));
  for (const { status, headers } of answers) {
    expect([status, Number(headers.get("Retry-After"))]).toEqual([503, expect.closeTo(23, -1)]);
  }
  expect([tokens.seen.length, files.seen.length]).toEqual([1, 0]);
});
