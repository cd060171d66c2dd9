import { afterEach, expect, test, vi } from "vitest";
import { readBytes, readText, send, TimeLimit } from "../src/index.ts";
import { serve } from "./server.ts";

afterEach(() => vi.useRealTimers());

const redirect = (to: () => string) => serve((_, response) => response.writeHead(302, { location: to() }).end());

test("method, headers and body are sent, and any status is an answer", async () => {
  let body = "";
  const served = await serve((request, response) => {
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => response.writeHead(418).end("short"));
  });
  const stream = new Blob(["streamed"]).stream();
  const response = await send({ url: served.url, method: "PUT", headers: { "x-a": "1" }, body: stream });
  expect(response.status).toBe(418);
  expect(served.requests[0]).toMatchObject({ method: "PUT", headers: { "x-a": "1" } });
  expect(body).toBe("streamed");
});

test("every address is checked before it is requested, and private headers are sent to the first host only", async () => {
  const target = await serve((_, response) => response.writeHead(200).end("there"));
  const from = await redirect(() => target.url);
  const checked: string[] = [];
  const response = await send(
    { url: from.url, headers: { range: "bytes=0-9" } },
    { checkUrl: ({ href }) => void checked.push(href), privateHeaders: { "x-secret": "s" } },
  );
  expect(await response.text()).toBe("there");
  expect(checked).toEqual([from.url, target.url]);
  expect(from.requests[0]!.headers).toMatchObject({ "x-secret": "s", range: "bytes=0-9" });
  expect(target.requests[0]!.headers).toMatchObject({ range: "bytes=0-9" });
  expect(target.requests[0]!.headers["x-secret"]).toBeUndefined();
  const refuse = ({ href }: URL): void => {
    if (href === target.url) throw new RangeError("not this host");
  };
  await expect(send({ url: from.url }, { checkUrl: refuse })).rejects.toThrow("not this host");
  expect(target.requests).toHaveLength(1);
});

test("redirects are refused where none may be followed, end where there are too many, and stay on HTTP", async () => {
  const served = await redirect(() => served.url);
  await expect(send({ url: served.url }, { maxRedirects: 0 })).rejects.toMatchObject({ code: "redirect-refused" });
  expect(served.requests).toHaveLength(1);
  const circle = send({ url: served.url }, { checkUrl: () => {}, maxRedirects: 3 });
  await expect(circle).rejects.toMatchObject({ code: "too-many-redirects" });
  expect(served.requests).toHaveLength(5);
  const elsewhere = await redirect(() => "ftp://127.0.0.1/");
  await expect(send({ url: elsewhere.url }, { checkUrl: () => {} })).rejects.toMatchObject({
    code: "redirect-refused",
  });
});

test("the check of a redirect knows which address led there", async () => {
  const target = await serve((_, response) => response.writeHead(200).end());
  const from = await redirect(() => target.url);
  const checked: (string | undefined)[][] = [];
  await send({ url: from.url }, { checkUrl: (url, before) => void checked.push([url.port, before?.port]) });
  const [first, second] = [new URL(from.url).port, new URL(target.url).port];
  expect(checked).toEqual([
    [first, undefined],
    [second, first],
  ]);
});

test("a redirect without an address is an answer, and one to what is no address is refused", async () => {
  const bare = await serve((_, response) => response.writeHead(301, { "x-amz-bucket-region": "eu-central-1" }).end());
  expect((await send({ url: bare.url }, { maxRedirects: 0 })).status).toBe(301);
  const broken = await redirect(() => "http://[");
  await expect(send({ url: broken.url }, { checkUrl: () => {} })).rejects.toMatchObject({ code: "redirect-refused" });
});

test("a body above the bound is cut off, and one of an error is read to the bound", async () => {
  const served = await serve((_, response) => {
    const more = (): void => {
      if (!response.destroyed) response.write("x".repeat(1000), () => setImmediate(more));
    };
    more();
  });
  const held: number[] = [];
  const read = readBytes(await send({ url: served.url }), { maxBytes: 5000, onBytes: (bytes) => held.push(bytes) });
  await expect(read).rejects.toMatchObject({ code: "too-large" });
  expect(held.at(-1)).toBeGreaterThan(5000);
  expect(await readText(await send({ url: served.url }), 3000)).toMatch(/^x{0,3000}$/);
});

test("a limit on silence restarts with each chunk; one on the whole does not", async () => {
  vi.useFakeTimers();
  /** Six chunks, each 30 ms after the one before. */
  const drip = (): Response => {
    let pieces = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await vi.advanceTimersByTimeAsync(30);
      if (++pieces > 6) controller.close();
      else controller.enqueue(new Uint8Array(1));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
  const read = async (restarts: boolean): Promise<number> => {
    const limit = new TimeLimit(120, "too slow");
    try {
      const onBytes = (): void => (restarts ? limit.restart() : undefined);
      return (await readBytes(drip(), { maxBytes: 100, signal: limit.signal, onBytes })).length;
    } finally {
      limit.end();
    }
  };
  expect(await read(true)).toBe(6);
  await expect(read(false)).rejects.toMatchObject({ code: "timeout", message: "too slow" });
});

test("an abort ends a wait for a server, and for a fetch that does not listen", async () => {
  const deaf = (() => new Promise<Response>(() => {})) as typeof fetch;
  const signal = AbortSignal.timeout(20);
  await expect(send({ url: "http://127.0.0.1/" }, { fetch: deaf, signal })).rejects.toThrow(/timeout/i);
});
