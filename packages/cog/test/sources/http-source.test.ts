import { deflateSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { BlockCache, CogError, httpSource, openCog, type RequestRecord, readWindow } from "../../src/index.ts";
import { nodeCodecs } from "../../src/node.ts";
import { local } from "../fixtures.ts";
import { type Served, sendRange, serve } from "../http-server.ts";
import { noise, tiledTiff } from "../tiled-tiff.ts";

const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
const quick = { retries: 2, backoffMs: 1 };
let served: Served | undefined;

afterEach(async () => {
  await served?.close();
  served = undefined;
});

test("a range is requested and its bytes are returned", async () => {
  served = await serve((request, response) => sendRange(request, response, bytes, { etag: '"a"' }));
  const records: RequestRecord[] = [];
  const source = httpSource(served.url, { onRequest: (record) => records.push(record) });
  expect(await source.read(1000, 500)).toEqual(bytes.slice(1000, 1500));
  expect(served.requests.map((request) => request.range)).toEqual(["bytes=1000-1499"]);
  expect(records).toMatchObject([{ offset: 1000, length: 500, status: 206, bytes: 500 }]);
  expect(source.size).toBe(bytes.length);
});

test("a read across the end gives what there is, one behind the end nothing", async () => {
  served = await serve((request, response) => sendRange(request, response, bytes));
  const source = httpSource(served.url);
  expect(await source.read(99_990, 50)).toEqual(bytes.slice(99_990));
  expect(await httpSource(served.url).read(200_000, 10)).toHaveLength(0);
  expect(await source.read(200_000, 10)).toHaveLength(0);
  expect(served.requests).toHaveLength(2);
});

test("a server that ignores Range is refused without reading its body", async () => {
  served = await serve((_, response) => response.writeHead(200, { "content-length": 5e9 }).write(bytes));
  const records: RequestRecord[] = [];
  const read = httpSource(served.url, { onRequest: (record) => records.push(record) }).read(10, 100);
  await expect(read).rejects.toMatchObject({ code: "range-ignored", lasting: false });
  expect(records[0]!.bytes).toBe(0);
});

test("a server that ignores Range and hides its length is cut off at the bound", async () => {
  served = await serve((_, response) => {
    response.writeHead(200);
    const more = (): void => {
      if (!response.destroyed) response.write(bytes, () => setImmediate(more));
    };
    more();
  });
  await expect(httpSource(served.url, { maxBytes: 300_000 }).read(0, 100)).rejects.toMatchObject({
    code: "range-ignored",
  });
});

test("a server that ignores Range is read once where the whole object is within the bound", async () => {
  served = await serve((_, response) => response.writeHead(200).end(bytes));
  const source = httpSource(served.url, { maxBytes: 200_000 });
  expect(await source.read(1000, 10)).toEqual(bytes.slice(1000, 1010));
  expect(await source.read(50_000, 10)).toEqual(bytes.slice(50_000, 50_010));
  expect(served.requests).toHaveLength(1);
});

test.each([
  { name: "another part", range: "bytes 0-499/100000", length: 500 },
  { name: "a longer part", range: "bytes 1000-1600/100000", length: 601 },
  { name: "a part that is not as long as said", range: "bytes 1000-1499/100000", length: 400 },
])("a wrong Content-Range is noticed: $name", async ({ range, length }) => {
  served = await serve((_, response) =>
    response.writeHead(206, { "content-range": range, "content-length": length }).end(bytes.subarray(0, length)),
  );
  await expect(httpSource(served.url).read(1000, 500)).rejects.toMatchObject({ code: "range-ignored" });
});

test.each([
  { status: 404, body: "", code: "not-found", lasting: true, requests: 1 },
  { status: 410, body: "", code: "not-found", lasting: true, requests: 1 },
  { status: 403, body: "<Code>AccessDenied</Code>", code: "forbidden", lasting: false, requests: 1 },
  { status: 403, body: "<Error><Code>SlowDown</Code></Error>", code: "unavailable", lasting: false, requests: 3 },
  { status: 429, body: "", code: "unavailable", lasting: false, requests: 3 },
  { status: 503, body: "", code: "unavailable", lasting: false, requests: 3 },
])("status $status $body is $code after $requests requests", async ({ status, body, code, lasting, requests }) => {
  served = await serve((_, response) => response.writeHead(status).end(body));
  await expect(httpSource(served.url, quick).read(0, 10)).rejects.toMatchObject({ code, lasting });
  expect(served.requests).toHaveLength(requests);
});

test("a passing fault is retried until it passes", async () => {
  served = await serve((request, response, count) => {
    if (count === 1) response.writeHead(503).end();
    else if (count === 2) request.socket.destroy();
    else sendRange(request, response, bytes);
  });
  expect(await httpSource(served.url, quick).read(0, 10)).toEqual(bytes.slice(0, 10));
});

test("an answer that breaks off is retried, not taken for the end of the file", async () => {
  served = await serve((request, response, count) => {
    if (count > 1) return sendRange(request, response, bytes);
    response.writeHead(206, { "content-range": "bytes 0-999/100000", "content-length": 1000 });
    response.write(bytes.subarray(0, 300), () => response.destroy());
  });
  expect(await httpSource(served.url, quick).read(0, 1000)).toHaveLength(1000);
  expect(served.requests).toHaveLength(2);
});

test("an answer without a length that ends before its range is retried too", async () => {
  served = await serve((request, response, count) => {
    if (count > 1) return sendRange(request, response, bytes);
    response.writeHead(206, { "content-range": "bytes 0-999/100000" });
    response.end(bytes.subarray(0, 300));
  });
  expect(await httpSource(served.url, quick).read(0, 1000)).toEqual(bytes.slice(0, 1000));
  expect(served.requests).toHaveLength(2);
});

test("where plain HTTP is not trusted, bytes may be changed by it and where a redirect leads to it, and not by TLS", async () => {
  served = await serve((request, response) => sendRange(request, response, bytes));
  const { url } = served;
  expect(httpSource(url).exposed).toBe(false);
  const verifiesPlain = true;
  expect(httpSource(url, { verifiesPlain }).exposed).toBe(true);
  const source = httpSource("https://host.example/file.tif", { verifiesPlain, fetch: (_, init) => fetch(url, init) });
  expect(source.exposed).toBe(false);
  await source.read(0, 10);
  expect(source.exposed).toBe(true);
  const direct = httpSource("https://host.example/file.tif", {
    verifiesPlain,
    fetch: async () => new Response(bytes.slice(0, 10), { status: 206 }),
  });
  await direct.read(0, 10);
  expect(direct.exposed).toBe(false);
});

test("a server that never answers is unavailable after the time limit", async () => {
  served = await serve(() => {});
  const read = httpSource(served.url, { retries: 0, timeoutMs: 50 }).read(0, 10);
  await expect(read).rejects.toMatchObject({ code: "unavailable" });
});

test("an aborting caller ends the request and the retries", async () => {
  const controller = new AbortController();
  let close = (): void => {};
  const isClosed = new Promise<void>((resolve) => {
    close = resolve;
  });
  served = await serve((_, response) => {
    response.on("close", () => close());
    controller.abort(new Error("left"));
  });
  const read = httpSource(served.url).read(0, 10, { signal: controller.signal });
  await expect(read).rejects.toThrow("left");
  await isClosed;
  expect(served.requests).toHaveLength(1);
});

test("redirects are followed, refused or checked", async () => {
  served = await serve((request, response) => {
    if (request.url === "/there") sendRange(request, response, bytes);
    else response.writeHead(302, { location: "/there" }).end();
  });
  expect(await httpSource(`${served.url}/here`).read(0, 10)).toHaveLength(10);
  await expect(httpSource(`${served.url}/here`, { redirects: false }).read(0, 10)).rejects.toMatchObject({
    code: "forbidden",
  });
  const asked: string[] = [];
  await httpSource(`${served.url}/here`, { checkUrl: (url) => void asked.push(url.pathname) }).read(0, 10);
  expect(asked).toEqual(["/here", "/there"]);
  const refusing = httpSource(`${served.url}/here`, {
    checkUrl(url) {
      if (url.pathname === "/there") throw new CogError("forbidden", "Not there.");
    },
  });
  await expect(refusing.read(0, 10)).rejects.toMatchObject({ code: "forbidden" });
});

test("headers of the caller do not follow a redirect to another host", async () => {
  const other = await serve((request, response) => sendRange(request, response, bytes));
  served = await serve((_, response) => response.writeHead(302, { location: other.url }).end());
  await httpSource(served.url, { headers: { authorization: "secret" }, checkUrl: () => {} }).read(0, 10);
  expect(served.requests[0]!.headers.authorization).toBe("secret");
  expect(other.requests[0]!.headers.authorization).toBeUndefined();
  await other.close();
});

test("a file replaced after its header was read is opened again and read right", async () => {
  let current = local("deflate-uint8.tif");
  let tag = '"one"';
  served = await serve((request, response) => sendRange(request, response, current, { etag: tag }));
  const cache = new BlockCache({ maxBytes: 1e6 });
  const cog = await openCog(httpSource(served.url), { codecs: nodeCodecs, prefetch: 1024 });
  const all = { x: 0, y: 0, width: 37, height: 29 };
  const before = await readWindow(cog, 0, { ...all, height: 10 }, { cache });
  current = local("bits-4.tif");
  tag = '"two"';
  const after = await readWindow(cog, 0, all, { cache });
  expect(after.bands).toHaveLength(cog.bandCount);
  const fresh = await openCog(httpSource(served.url), { codecs: nodeCodecs });
  expect(after.bands[0]).toEqual((await readWindow(fresh, 0, all)).bands[0]);
  expect(before.bands[0]).not.toEqual(after.bands[0]!.slice(0, 370));
});

test("a file replaced between two blocks of one window is read again from its header, not mixed", async () => {
  const side = 64;
  const fileOf = (seed: number) => {
    const tiles = [noise(side * side, seed), noise(side * side, seed + 1)];
    const encoded = tiles.map((tile) => deflateSync(new Uint8Array(tile.buffer)));
    // so far apart that they are two requests
    const { bytes: whole } = tiledTiff(encoded, { side, compression: 8, padding: 60_000 });
    return { whole, row: tiles.flatMap((tile) => [...tile.subarray(0, side)]) };
  };
  const [before, after] = [fileOf(10), fileOf(20)];
  const window = { x: 0, y: 0, width: 2 * side, height: 1 };
  for (const replacedAt of [2, 3, 4]) {
    served = await serve((request, response, count) => {
      const isNew = count >= replacedAt;
      sendRange(request, response, (isNew ? after : before).whole, { etag: isNew ? '"new"' : '"old"' });
    });
    const cog = await openCog(httpSource(served.url));
    const { bands } = await readWindow(cog, 0, window);
    expect([...bands[0]!]).toEqual((replacedAt === 4 ? before : after).row);
    await served.close();
  }
});

test("a file that keeps changing is an error, not a mixture", async () => {
  served = await serve((request, response, count) =>
    sendRange(request, response, local("none-float64.tif"), { etag: `"${count}"` }),
  );
  const open = openCog(httpSource(served.url), { prefetch: 512 });
  await expect(open.then((cog) => readWindow(cog, 0, { x: 0, y: 0, width: 37, height: 29 }))).rejects.toMatchObject({
    code: "changed",
  });
});
