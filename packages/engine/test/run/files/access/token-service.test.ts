import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CogError } from "@swath/cog";
import { Pace } from "@swath/http";
import { afterEach, describe, expect, test } from "vitest";
import { type Answer, type Loopback, serveLoopback } from "../../../../../../test/tools/loopback.ts";
import {
  AccessServer,
  createSharedAccess,
  type SharedAccess,
  ThreadAccess,
} from "../../../../src/run/files/access/shared-access.ts";
import { containerOf, createUrlTokens, signedUrl } from "../../../../src/run/files/access/signed-urls.ts";

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
async function serve(answer: (count: number) => Answer | Promise<Answer>): Promise<Loopback> {
  server = await serveLoopback((_, count) => answer(count));
  return server;
}

const token = (query: string, milliseconds = 3_600_000, now = Date.now()): Answer => ({
  status: 200,
  body: JSON.stringify({ "msft:expiry": new Date(now + milliseconds).toISOString(), token: query }),
});

const fixtures = process.env.SWATH_FIXTURES;
const recorded = (name: string): Answer => {
  const text = readFileSync(join(fixtures ?? "", "live", "errors", `planetary-computer-token-${name}.json`), "utf8");
  const { response } = JSON.parse(text) as {
    response: { status: number; headers: Record<string, string>; body: unknown };
  };
  const { status, headers, body } = response;
  return { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) };
};

test("an address is signed behind its own query, and its container is named by account and path", () => {
  const url = new URL("https://sentinel2l2a01.blob.core.windows.net/sentinel2-l2/32/x/B04.tif?x=1");
  expect(containerOf(url)).toBe("sentinel2l2a01/sentinel2-l2");
  expect(signedUrl(url, "se=1&sig=a%2F").search).toBe("?x=1&se=1&sig=a%2F");
});

test("a token is replaced a minute before it expires", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const { url, seen } = await serve((count) => token(`sig=${count}`, 600_000, now));
  const tokens = createUrlTokens({ now: () => now });
  const get = (): Promise<string | undefined> => tokens.token(`${url}/t`, "account/container");
  expect([await get(), await get()]).toEqual(["sig=1", "sig=1"]);
  now += 500_000;
  expect(await get()).toBe("sig=1");
  now += 60_000;
  expect(await get()).toBe("sig=2");
  expect(seen.map(({ url: path }) => path)).toEqual(["/t/account/container", "/t/account/container"]);
});

test("a container that the service does not know has no signature, and is not asked about again soon", async () => {
  const { url, seen } = await serve(() => ({ status: 404 }));
  const tokens = createUrlTokens();
  for (let i = 0; i < 3; i++) expect(await tokens.token(url, "account/open")).toBeUndefined();
  expect(seen).toHaveLength(1);
});

const title = fixtures === undefined ? "recorded answers (skipped: SWATH_FIXTURES is not set)" : "recorded answers";
describe.skipIf(fixtures === undefined)(title, () => {
  test("a token without its question mark, and its end, are read", async () => {
    const { url } = await serve(() => recorded("200"));
    const before = (): number => Date.parse("2023-11-21T12:10:00Z");
    expect(await createUrlTokens({ now: before }).token(url, "modis-64A1-061")).toMatch(
      /^st=2023-11-21T12%3A03%3A50Z&se=/,
    );
  });

  test("429 names the seconds in its text: nobody asks within them, and everybody is told how many are left", async () => {
    const { url, seen } = await serve(() => recorded("429"));
    let now = 0;
    const pace = new Pace({}, { now: () => now });
    const tokens = createUrlTokens({ paceOf: () => pace });
    const reads = await Promise.all(
      ["a/1", "a/1", "a/2", "b/1"].map((name) => tokens.token(url, name).catch((error: unknown) => error)),
    );
    for (const error of reads) expect(error).toMatchObject({ code: "unavailable", retryAfter: expect.closeTo(23, 1) });
    const asked = seen.length;
    now = 10_000;
    await expect(tokens.token(url, "a/3")).rejects.toMatchObject({ code: "unavailable", retryAfter: 13 });
    expect(seen).toHaveLength(asked);
    now = 23_001;
    await expect(tokens.token(url, "a/3")).rejects.toBeInstanceOf(CogError);
    expect(seen.length).toBeGreaterThan(asked);
  });

  test("four reads of one container within a second are one request, refused or not", async () => {
    const { url, seen } = await serve(() => recorded("429"));
    const pace = new Pace({});
    const tokens = createUrlTokens({ paceOf: () => pace });
    for (let i = 0; i < 4; i++) {
      await expect(tokens.token(url, "naip/1")).rejects.toMatchObject({ code: "unavailable" });
    }
    expect(seen).toHaveLength(1);
  });

  test("504 passes: it is retried, and its waiters share the attempts", { tags: ["AF7"] }, async () => {
    const { url, seen } = await serve((count) => (count <= 2 ? recorded("504") : token("sig=good")));
    const tokens = createUrlTokens({ backoffMs: 1 });
    const reads = Array.from({ length: 4 }, () => tokens.token(url, "hls2/L30"));
    expect(await Promise.all(reads)).toEqual(["sig=good", "sig=good", "sig=good", "sig=good"]);
    expect(seen).toHaveLength(3);
  });
});

test("a service that stays away is an error that says when to come again, after six attempts", async () => {
  const { url, seen } = await serve(() => ({ status: 504, body: "upstream request timeout" }));
  await expect(createUrlTokens({ backoffMs: 1 }).token(url, "a/b")).rejects.toMatchObject({
    code: "unavailable",
    retryAfter: 10,
  });
  expect(seen).toHaveLength(6);
});

test.each([
  { what: "no JSON", answer: { status: 200, body: "<html>" } },
  { what: "no expiry", answer: { status: 200, body: '{"token": "sig=a"}' } },
  { what: "a redirect", answer: { status: 302, headers: { Location: "http://127.0.0.1:1/" } } },
  { what: "too long an answer", answer: { status: 200, body: `{"token": "${"x".repeat(20_000)}"}` } },
])("an answer that is $what is no token", async ({ answer }) => {
  const { url } = await serve(() => answer);
  await expect(createUrlTokens({ backoffMs: 1 }).token(url, "a/b")).rejects.toMatchObject({ code: "unavailable" });
});

/** A thread's access that reaches another thread's by messages, copied as they would be. */
function linked(access: SharedAccess): { thread: ThreadAccess; server: AccessServer } {
  const thread: ThreadAccess = new ThreadAccess((request) => link.receive(structuredClone(request)));
  const link = new AccessServer(access, (answer) => thread.receive(structuredClone(answer)));
  return { thread, server: link };
}

describe("threads that share an access", () => {
  test("get one token by one request", async () => {
    const { url, seen } = await serve((count) => token(`sig=${count}`));
    const access = createSharedAccess();
    const threads = [linked(access).thread, linked(access).thread, linked(access).thread];
    expect(await Promise.all(threads.map((each) => each.token(url, "a/b")))).toEqual(["sig=1", "sig=1", "sig=1"]);
    expect(seen).toHaveLength(1);
    threads[0]?.forget(url, "a/b", "sig=1");
    expect(await threads[1]?.token(url, "a/b")).toBe("sig=2");
  });

  test("are refused in the same words", async () => {
    const { url } = await serve(() => ({ status: 429, body: '{"message": "Try again in 40 seconds."}' }));
    const { thread } = linked(createSharedAccess());
    const error: unknown = await thread.token(url, "a/b").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CogError);
    expect(error).toMatchObject({ code: "unavailable", retryAfter: 40 });
  });

  test("may leave: the request ends with its last waiter", async () => {
    let left: () => void = () => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    server = await serveLoopback(
      (request) =>
        new Promise<Answer>(() => {
          request.once("close", left);
        }),
    );
    const { thread } = linked(createSharedAccess());
    const controller = new AbortController();
    const read = thread.token(server.url, "a/b", controller.signal);
    await expect.poll(() => server?.seen.length).toBe(1);
    controller.abort(new Error("left"));
    await expect(read).rejects.toThrow("left");
    await gone;
  });

  test("end with their thread", async () => {
    server = await serveLoopback(() => new Promise<Answer>(() => {}));
    const { thread, server: link } = linked(createSharedAccess());
    void thread.token(server.url, "a/b").catch(() => {});
    await expect.poll(() => server?.seen.length).toBe(1);
    link.close();
  });

  test("tell what became of a credential: a refusal holds until it is accepted, or for ten minutes", () => {
    let now = 0;
    const changes: string[] = [];
    const access = createSharedAccess({
      now: () => now,
      onCredential: (name, state) => changes.push(`${name} ${state}`),
    });
    const [a, b] = [linked(access).thread, linked(access).thread];
    a.credential("earthdata", "accepted");
    expect(access.isRefused("earthdata")).toBe(false);
    for (let i = 0; i < 3; i++) a.credential("earthdata", "refused");
    b.credential("earthdata", "refused");
    expect(access.isRefused("earthdata")).toBe(true);
    b.credential("earthdata", "accepted");
    expect(access.isRefused("earthdata")).toBe(false);
    expect(changes).toEqual(["earthdata refused", "earthdata accepted"]);
    access.credential("aws", "refused");
    now = 600_001;
    expect(access.isRefused("aws")).toBe(false);
  });

  test("tell it of what another thread met: one that reads with the token ends the refusal of another", () => {
    let now = 0;
    const access = createSharedAccess();
    const threads = [0, 1].map(() => {
      const thread: ThreadAccess = new ThreadAccess(
        (request) => link.receive(request),
        () => now,
      );
      const link = new AccessServer(access, (answer) => thread.receive(answer));
      return thread;
    });
    threads[1]?.credential("earthdata", "accepted");
    threads[0]?.credential("earthdata", "refused");
    expect(access.isRefused("earthdata")).toBe(true);
    now += 10_000;
    threads[1]?.credential("earthdata", "accepted");
    expect(access.isRefused("earthdata")).toBe(false);
  });
});
