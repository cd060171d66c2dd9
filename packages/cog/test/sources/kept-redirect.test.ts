import { afterEach, expect, test } from "vitest";
import { httpSource } from "../../src/index.ts";
import { signedUntil } from "../../src/sources/kept-redirect.ts";
import { type Served, sendRange, serve } from "../http-server.ts";

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
const quick = { retries: 1, backoffMs: 1 };
const servers: Served[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.close()));
});

async function started(handler: Parameters<typeof serve>[0]): Promise<Served> {
  const served = await serve(handler);
  servers.push(served);
  return served;
}

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

/** A front door that redirects to storage, whose addresses are good once they are signed by the newest number. */
async function redirecting(query: (count: number) => string) {
  let newest = 0;
  const storage = await started((request, response) => {
    const isGood = request.url?.includes(`Signature=${newest}&`) === true;
    if (!isGood || request.headers.authorization !== undefined) response.writeHead(403).end();
    else sendRange(request, response, bytes);
  });
  const front = await started((_, response, count) => {
    newest = count;
    response.writeHead(303, { location: `${storage.url}/a.tif?Signature=${count}&${query(count)}` }).end();
  });
  const checked: [string, string | undefined][] = [];
  const source = httpSource(`${front.url}/a.tif`, {
    ...quick,
    headers: { Authorization: "Bearer secret" },
    checkUrl: (url, from) => void checked.push([url.port, from?.port]),
  });
  return { front, storage, source, checked, expire: () => (newest = -1) };
}

test("a signed address that a redirect led to is asked directly from then on, checked as its redirect is", {
  tags: ["AF6"],
}, async () => {
  const { front, storage, source, checked } = await redirecting(() => `Expires=${inAnHour()}`);
  for (const offset of [0, 100, 200]) expect(await source.read(offset, 10)).toEqual(bytes.slice(offset, offset + 10));
  expect([front.requests.length, storage.requests.length]).toEqual([1, 3]);
  expect(front.requests[0]!.headers.authorization).toBe("Bearer secret");
  expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
  const [first, second] = [new URL(front.url).port, new URL(storage.url).port];
  expect(checked).toEqual([
    [first, undefined],
    [second, first],
    [second, first],
    [second, first],
  ]);
});

test("an address that is refused is asked for again, once", { tags: ["AF6"] }, async () => {
  const { front, storage, source, expire } = await redirecting(() => `Expires=${inAnHour()}`);
  await source.read(0, 10);
  expire();
  expect(await source.read(10, 10)).toEqual(bytes.slice(10, 20));
  expect([front.requests.length, storage.requests.length]).toEqual([2, 3]);
});

test.each([
  { what: "says nothing of its end", query: () => "x=1" },
  { what: "ends within a minute", query: () => `Expires=${Math.floor(Date.now() / 1000) + 30}` },
])("an address that $what is not kept", async ({ query }) => {
  const { front, source } = await redirecting(query);
  await source.read(0, 10);
  await source.read(0, 10);
  expect(front.requests).toHaveLength(2);
});

test("an address that the check refuses later is not asked", async () => {
  const { storage, front } = await redirecting(() => `Expires=${inAnHour()}`);
  let isRefused = false;
  const source = httpSource(`${front.url}/a.tif`, {
    ...quick,
    checkUrl(url) {
      if (isRefused && url.origin === storage.url) throw new RangeError("not this host");
    },
  });
  await source.read(0, 10);
  isRefused = true;
  await expect(source.read(0, 10)).rejects.toMatchObject({ code: "unavailable" });
  expect(storage.requests).toHaveLength(1);
});

// addresses as CloudFront, S3 and Azure sign them
test.each([
  {
    url: "https://d1.cloudfront.net/a.tif?A-userid=x&Expires=1700000000&Signature=s&Key-Pair-Id=k",
    until: 1_700_000_000_000,
  },
  {
    url: "https://b.s3.us-west-2.amazonaws.com/a.tif?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20231114T221320Z&X-Amz-Expires=3600&X-Amz-Signature=s",
    until: 1_700_003_600_000,
  },
  { url: "https://a.blob.core.windows.net/c/a.tif?se=2023-11-14T22%3A13%3A20Z&sp=rl&sig=s", until: 1_700_000_000_000 },
  { url: "https://a.example/a.tif?Expires=1700000000", until: undefined },
  { url: "https://a.example/a.tif?Expires=never&Signature=s", until: undefined },
  { url: "https://a.example/a.tif?X-Amz-Expires=3600&X-Amz-Signature=s", until: undefined },
  { url: "https://a.example/a.tif", until: undefined },
])("the signature of $url holds until $until", ({ url, until }) => {
  expect(signedUntil(new URL(url))).toBe(until);
});
