import { type Fetch, sleepFor } from "@swath/http";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createStacClient,
  type SearchPage,
  type StacClient,
  StacClientError,
  type StacClientOptions,
} from "../src/index.ts";
import { recording, stacFixtures } from "./fixtures.ts";
import { type Handler, sendJson, type Upstream, upstream } from "./upstream.ts";

const HOUR = 3_600_000;
const running: Upstream[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** A server, a client of it whose limits no slow machine reaches, and the pauses that the client made. */
async function pair(handle: Handler, options: Partial<StacClientOptions> = {}) {
  const server = await upstream(handle);
  running.push(server);
  const pauses: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
  };
  const client = createStacClient({
    url: server.url,
    timeoutMs: HOUR,
    deadlineMs: HOUR,
    random: () => 0.5,
    sleep,
    ...options,
  });
  return { server, client, pauses };
}

/** Makes the client's limits end only as the test lets time pass. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

/** `fetch` that tells of each piece of an answer, once the client has taken it. */
function telling(onPiece: () => void): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const told = new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        controller.enqueue(piece);
        setImmediate(onPiece);
      },
    });
    return new Response(response.body?.pipeThrough(told) ?? null, response);
  };
}

const page = { type: "FeatureCollection", features: [{ type: "Feature", id: "a" }], links: [] };

async function errorOf(promise: Promise<unknown>): Promise<StacClientError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StacClientError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

async function walked(client: StacClient, body: Record<string, unknown>): Promise<SearchPage[]> {
  const pages: SearchPage[] = [];
  for await (const each of client.pages(body)) pages.push(each);
  return pages;
}

describe.skipIf(stacFixtures === undefined)("recorded exchanges", () => {
  test.each([
    { name: "search-duplicate-scenes", count: 3, items: [10, 6, 0], matched: 16 },
    { name: "search-two-collections", count: 2, items: [2, 0], matched: 2 },
  ])(
    "$name is walked to its empty last page: no item lost or repeated, no request too many",
    async ({ name, count, items, matched }) => {
      const recordings = Array.from({ length: count }, (_, i) => recording(`${name}-page${i + 1}`));
      const { server, client } = await pair(({ body }, response) => {
        const found = recordings.find(({ request }) => sameJson(request.body, body));
        sendJson(response, found?.body ?? "{}", found?.status ?? 500);
      });
      const pages = await walked(client, recordings[0]?.request.body as Record<string, unknown>);
      expect(pages.map((each) => each.items.length)).toEqual(items);
      expect(pages.every(({ numberMatched }) => numberMatched === matched)).toBe(true);
      const ids = pages.flatMap((each) => each.items.map(({ id }) => id));
      expect(new Set(ids).size).toBe(matched);
      expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(count).fill("POST /v1/search"));
      expect(server.seen.every(({ body }, i) => sameJson(body, recordings[i]?.request.body))).toBe(true);
    },
  );

  test("the landing page, an item, a missing collection and a search with fields are read", async () => {
    const names = [
      "landing-page",
      "item-sentinel-2-l2a-baseline-02.14",
      "collection-not-found",
      "search-fields-exclude",
    ];
    const recordings = names.map(recording);
    const { client } = await pair(({ path }, response) => {
      const found = recordings.find(({ request }) => new URL(request.uri).pathname.replace(/\/$/, "") === path);
      sendJson(response, found?.body ?? "{}", found?.status ?? 500);
    });
    expect((await client.landing()).conformsTo).toContain("https://api.stacspec.org/v1.0.0/item-search#query");
    const item = await client.item("sentinel-2-l2a", "S2A_32TMT_20200305_0_L2A");
    expect(item?.properties?.["s2:processing_baseline"]).toBe("02.14");
    expect(await client.collection("foo")).toBeUndefined();
    const { items, numberMatched, next } = await client.search({ fields: { exclude: ["geometry"] } });
    expect({ count: items.length, numberMatched, geometry: items[0]?.geometry }).toMatchObject({
      numberMatched: 858,
      geometry: undefined,
    });
    expect(next?.method).toBe("POST");
  });
});

describe("paging", () => {
  test("merge true joins the link's body to the request", async () => {
    const { server, client } = await pair(({ body }, response) => {
      const token = Number((body as { token?: string }).token ?? 0);
      const links =
        token < 2
          ? [
              {
                rel: "next",
                href: "https://elsewhere.test/search",
                method: "POST",
                merge: true,
                body: { token: `${token + 1}` },
              },
            ]
          : [];
      sendJson(response, { ...page, features: [{ type: "Feature", id: `i${token}` }], links });
    });
    const pages = await walked(client, { collections: ["c"], limit: 1 });
    expect(pages.map(({ items }) => items[0]?.id)).toEqual(["i0", "i1", "i2"]);
    expect(server.seen.map(({ body }) => body)).toEqual([
      { collections: ["c"], limit: 1 },
      { collections: ["c"], limit: 1, token: "1" },
      { collections: ["c"], limit: 1, token: "2" },
    ]);
  });

  test("GET links are followed on the upstream's host", async () => {
    const { server, client } = await pair(({ path }, response) => {
      sendJson(response, {
        ...page,
        links: path.includes("page=2") ? [] : [{ rel: "next", href: "/v1/search?page=2&limit=5" }],
      });
    });
    expect(await walked(client, { limit: 5 })).toHaveLength(2);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/search",
      "GET /v1/search?page=2&limit=5",
    ]);
  });

  test("links that go round in a circle end in an error, not in a loop", async () => {
    const { server, client } = await pair(({ body }, response) => {
      const next = (body as { next?: string }).next === "a" ? "b" : "a";
      sendJson(response, {
        ...page,
        links: [{ rel: "next", href: "x", method: "POST", merge: false, body: { next } }],
      });
    });
    expect((await errorOf(walked(client, {}))).code).toBe("bad-answer");
    expect(server.seen).toHaveLength(3);
  });

  test("a page kept as JSON can be requested later", async () => {
    const { client } = await pair(({ body }, response) => {
      const done = "next" in (body as object);
      sendJson(response, {
        ...page,
        links: done ? [] : [{ rel: "next", href: "x", method: "POST", body: { next: "t" } }],
      });
    });
    const { next } = await client.search({ limit: 1 });
    const kept = JSON.parse(JSON.stringify(next)) as NonNullable<typeof next>;
    expect((await client.page(kept)).next).toBeUndefined();
  });
});

describe("page size", () => {
  const limitOf = (body: unknown): number => (body as { limit: number }).limit;

  test("no upstream page is requested with more than 250 items", async () => {
    const { server, client } = await pair((_, response) => sendJson(response, page));
    await client.search({ limit: 1000 });
    await client.search({});
    expect(server.seen.map(({ body }) => body)).toEqual([{ limit: 250 }, {}]);
  });

  test.each([413, 502, 504])("%i to a large page halves it until the upstream can", async (status) => {
    const { server, client } = await pair(({ body }, response) => {
      sendJson(response, limitOf(body) > 62 ? { description: "too much" } : page, limitOf(body) > 62 ? status : 200);
    });
    expect((await client.search({ limit: 1000, ids: ["x"] })).items).toHaveLength(1);
    expect(server.seen.map(({ body }) => limitOf(body))).toEqual([250, 125, 62]);
  });

  test("a response over the bound is aborted, and half of the items are requested", async () => {
    const { server, client } = await pair(
      ({ body }, response) => sendJson(response, { ...page, pad: "x".repeat(limitOf(body) * 1000) }),
      { maxBytes: 70_000 },
    );
    await client.search({ limit: 250 });
    expect(server.seen.map(({ body }) => limitOf(body))).toEqual([250, 125, 62]);
  });

  test("413 to a small page is a rejected request", async () => {
    const { server, client } = await pair((_, response) => sendJson(response, {}, 413));
    expect(await errorOf(client.search({ limit: 10 }))).toMatchObject({ code: "rejected", status: 413 });
    expect(server.seen).toHaveLength(1);
  });

  test("a body that never ends is cut off and its connection closed", async () => {
    let sent = 0;
    const { server, client } = await pair(
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        const more = setInterval(() => {
          sent += 65_536;
          response.write(" ".repeat(65_536));
        }, 1);
        response.on("close", () => clearInterval(more));
      },
      { maxBytes: 1_000_000, retries: 0 },
    );
    expect((await errorOf(client.landing())).code).toBe("too-large");
    await expect.poll(() => server.open()).toBe(0);
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe("faults", () => {
  test.each([
    {
      name: "500",
      answer: (response: Parameters<Handler>[1]) => sendJson(response, {}, 500),
      code: "unavailable",
      status: 500,
    },
    {
      name: "503",
      answer: (response: Parameters<Handler>[1]) => sendJson(response, {}, 503),
      code: "unavailable",
      status: 503,
    },
    {
      name: "429",
      answer: (response: Parameters<Handler>[1]) => sendJson(response, {}, 429),
      code: "unavailable",
      status: 429,
    },
    { name: "a cut connection", answer: (response: Parameters<Handler>[1]) => response.destroy(), code: "unavailable" },
    {
      name: "a connection cut in the body",
      answer: (response: Parameters<Handler>[1]) => {
        response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
        response.write('{"type":"Feature', () => response.destroy());
      },
      code: "unavailable",
    },
    {
      name: "truncated JSON",
      answer: (response: Parameters<Handler>[1]) => sendJson(response, '{"type":"FeatureColl'),
      code: "bad-answer",
      status: 200,
    },
    {
      name: "HTML",
      answer: (response: Parameters<Handler>[1]) => {
        response.writeHead(200, { "Content-Type": "text/html" });
        response.end("<html>Down for maintenance</html>");
      },
      code: "bad-answer",
      status: 200,
    },
    {
      name: "an empty answer",
      answer: (response: Parameters<Handler>[1]) => response.writeHead(204).end(),
      code: "bad-answer",
      status: 204,
    },
  ])("$name once is got past, and always ends in $code", async ({ answer, code, status }) => {
    const once = await pair((_, response, count) => (count === 1 ? answer(response) : sendJson(response, page)));
    expect((await once.client.search({})).items).toHaveLength(1);
    expect(once.server.seen).toHaveLength(2);

    const always = await pair((_, response) => answer(response), { retries: 2 });
    const error = await errorOf(always.client.search({}));
    expect(error).toMatchObject({ name: "StacClientError", code });
    expect(error.status).toBe(status);
    expect(always.server.seen).toHaveLength(3);
  });

  test.each([
    { name: "silence", begin: undefined },
    { name: "a body that hangs", begin: '{"type":' },
  ])("$name once is got past, and always ends in timeout", async ({ begin }) => {
    holdTime();
    // the limit ends once the client waits for what does not come
    const endLimit = (): unknown => vi.advanceTimersByTime(400);
    let hasBegun = false;
    const hang = (response: Parameters<Handler>[1]): void => {
      if (begin === undefined) {
        setImmediate(endLimit);
        return;
      }
      hasBegun = true;
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write(begin);
    };
    const fetch = telling(() => {
      if (hasBegun) endLimit();
      hasBegun = false;
    });
    const once = await pair((_, response, count) => (count === 1 ? hang(response) : sendJson(response, page)), {
      timeoutMs: 400,
      fetch,
    });
    expect((await once.client.search({})).items).toHaveLength(1);
    expect(once.server.seen).toHaveLength(2);

    const always = await pair((_, response) => hang(response), { timeoutMs: 400, retries: 2, fetch });
    const error = await errorOf(always.client.search({}));
    expect(error).toMatchObject({ name: "StacClientError", code: "timeout" });
    expect(error.status).toBeUndefined();
    expect(always.server.seen).toHaveLength(3);
  });

  test("an unreachable upstream is unavailable", async () => {
    const { server, client } = await pair(() => undefined);
    await server.close();
    expect((await errorOf(client.search({}))).code).toBe("unavailable");
  });

  test("a slow answer that keeps coming is waited for", async () => {
    holdTime();
    const pieces = JSON.stringify(page).match(/.{1,10}/gs) ?? [];
    let next = (): void => undefined;
    const { client, server } = await pair(
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        next = () => {
          const piece = pieces.shift();
          if (piece === undefined) response.end();
          else response.write(piece);
        };
        next();
      },
      {
        timeoutMs: 600,
        deadlineMs: 10_000,
        fetch: telling(() => {
          vi.advanceTimersByTime(400);
          next();
        }),
      },
    );
    expect((await client.search({})).items).toHaveLength(1);
    expect([server.seen.length, pieces.length]).toEqual([1, 0]);
  });

  test("an answer that drips on and on ends at the deadline", async () => {
    holdTime();
    let pieces = 0;
    let drip = (): void => undefined;
    const { client, server } = await pair(
      (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        drip = () => void response.write(" ");
        drip();
      },
      {
        timeoutMs: 250,
        deadlineMs: 400,
        fetch: telling(() => {
          pieces += 1;
          vi.advanceTimersByTime(100);
          drip();
        }),
      },
    );
    expect((await errorOf(client.search({}))).code).toBe("timeout");
    expect([server.seen.length, pieces]).toEqual([1, 4]);
    await expect.poll(() => server.open()).toBe(0);
  });

  test("400 is rejected at once with the upstream's message", async () => {
    const { client, server, pauses } = await pair((_, response) =>
      sendJson(response, { code: "BadRequest", description: "Invalid bbox" }, 400),
    );
    expect(await errorOf(client.search({}))).toMatchObject({
      code: "rejected",
      status: 400,
      message: "The upstream answered 400: Invalid bbox",
    });
    expect(server.seen).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  test("a document of the wrong kind is a bad answer at once", async () => {
    const { client, server } = await pair((_, response) =>
      sendJson(response, { type: "FeatureCollection", features: [{ id: 5 }] }),
    );
    expect((await errorOf(client.search({}))).message).toContain("at /features/0/type");
    expect(server.seen).toHaveLength(1);
  });

  test("404 is an item that is not there, but an error for a search", async () => {
    const { client } = await pair((_, response) => sendJson(response, { code: "NotFound" }, 404));
    expect(await client.item("a/b", "../c")).toBeUndefined();
    expect((await errorOf(client.search({}))).code).toBe("not-found");
  });

  test("ids cannot escape from their path segment", async () => {
    const { client, server } = await pair((_, response) => sendJson(response, {}, 404));
    await client.item("a/b", "x?y#z");
    expect(server.seen[0]?.path).toBe("/v1/collections/a%2Fb/items/x%3Fy%23z");
  });
});

describe("pauses", () => {
  test("double from attempt to attempt, with jitter of one half", async () => {
    for (const [random, expected] of [
      [0, [100, 200, 400, 800]],
      [0.5, [150, 300, 600, 1200]],
      [0.999999, [200, 400, 800, 1600]],
    ] as const) {
      const { client, pauses } = await pair((_, response) => sendJson(response, {}, 500), {
        retries: 4,
        random: () => random,
      });
      await errorOf(client.search({}));
      expect(pauses.map(Math.round)).toEqual(expected);
    }
  });

  test("are as long as Retry-After says", async () => {
    const { client, pauses } = await pair((_, response, count) =>
      sendJson(response, count === 1 ? {} : page, count === 1 ? 429 : 200, count === 1 ? { "Retry-After": "1" } : {}),
    );
    await client.search({});
    expect(pauses).toEqual([1000]);
  });

  test("longer than the deadline are not made: the error says when to retry", async () => {
    const now = Date.parse("2026-10-16T12:00:00Z");
    const { client, server, pauses } = await pair(
      (_, response) => sendJson(response, {}, 503, { "Retry-After": "Fri, 16 Oct 2026 12:02:00 GMT" }),
      { now: () => now, deadlineMs: 10_000 },
    );
    expect(await errorOf(client.search({}))).toMatchObject({ code: "unavailable", status: 503, retryAfter: 120 });
    expect({ tries: server.seen.length, pauses }).toEqual({ tries: 1, pauses: [] });
  });
});

describe("leaving", () => {
  /** The handler of the server, and whether the caller leaves in the pause after its answer. */
  const places: readonly { name: string; handle: (leave: () => void) => Handler; inPause?: true }[] = [
    { name: "before the answer", handle: (leave) => () => leave() },
    { name: "during a pause", handle: () => (_, response) => sendJson(response, {}, 503), inPause: true },
    {
      name: "in the body",
      handle: (leave) => (_, response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        response.write("{", () => leave());
      },
    },
  ];
  test.each(places)("$name ends the call with the caller's reason, and nothing is asked after it", async (place) => {
    const controller = new AbortController();
    const reason = new Error("The caller left.");
    const leave = (): void => controller.abort(reason);
    const server = await upstream(place.handle(leave));
    running.push(server);
    // what did not end with the caller would take longer than the test may
    const sleep = (_: number, signal: AbortSignal | undefined): Promise<void> => {
      const slept = sleepFor(HOUR, signal);
      leave();
      return slept;
    };
    const client = createStacClient({ url: server.url, timeoutMs: HOUR, deadlineMs: HOUR, sleep });
    await expect(client.search({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(controller.signal.aborted).toBe(true);
    // no call is left that could ask again: its connection is closed, its pause ended
    if (place.inPause === undefined) await expect.poll(() => server.open()).toBe(0);
    expect(server.seen).toHaveLength(1);
  });

  test("beforehand sends no request", async () => {
    const { client, server } = await pair((_, response) => sendJson(response, page));
    await expect(client.search({}, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(server.seen).toHaveLength(0);
  });

  test("a walk between two pages ends it", async () => {
    const { client, server } = await pair(({ body }, response) => {
      const next = Number((body as { next?: number }).next ?? 0) + 1;
      sendJson(response, { ...page, links: [{ rel: "next", href: "x", method: "POST", body: { next } }] });
    });
    const controller = new AbortController();
    const walk = client.pages({}, { signal: controller.signal });
    await walk.next();
    controller.abort(new Error("enough"));
    await expect(walk.next()).rejects.toThrow("enough");
    expect(server.seen).toHaveLength(1);
  });
});

function sameJson(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
