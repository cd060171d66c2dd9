import { expect, test } from "vitest";
import { createUrlTokens } from "../../../../src/run/files/access/signed-urls.ts";
import { createSources } from "../../../../src/run/files/sources.ts";

const TOKENS = "https://tokens.example/sign";
const storage = { buckets: [], servers: [{ host: "*.blob.core.windows.net", tokenService: TOKENS }] };
const CONTAINERS = ["a/one", "a/two", "b/one", "c/one", "d/one"];

interface Clouds {
  readonly read: (container: string) => Promise<Uint8Array>;
  /** Requests to the storage and to the token service, by container. */
  readonly asked: Map<string, number>;
  /** The answer of the token service, or of the storage, for containers of which it is not the usual one. */
  readonly answers: Map<string, () => Response>;
}

/** Sources of a storage whose containers have tokens; whoever is asked is counted. */
function clouds(): Clouds {
  const asked = new Map<string, number>();
  const answers = new Map<string, () => Response>();
  const fetch = async (input: string | URL): Promise<Response> => {
    const url = new URL(input);
    const isToken = url.href.startsWith(TOKENS);
    const account = url.hostname.split(".")[0];
    const name = isToken ? `token ${url.pathname.slice("/sign/".length)}` : `${account}/${url.pathname.split("/")[1]}`;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const other = answers.get(name);
    if (other !== undefined) return other();
    if (isToken) return Response.json({ token: "sig=1", "msft:expiry": "2999-01-01T00:00:00Z" });
    return new Response(new Uint8Array(4), { status: 206, headers: { "Content-Range": "bytes 0-3/4" } });
  };
  const sources = createSources(
    { assetHosts: ["*.blob.core.windows.net"], storage, s3: { region: "us-west-2" }, fetch, resolve: async () => [] },
    { ...createUrlTokens({ fetch, backoffMs: 1 }), credential() {} },
  );
  const read = (container: string): Promise<Uint8Array> => {
    const [account, path] = container.split("/");
    return sources(`https://${account}.blob.core.windows.net/${path}/file.tif`).read(0, 4);
  };
  return { read, asked, answers };
}

const tooMany = (): Response => new Response("Rate limit is exceeded. Try again in 23 seconds.", { status: 429 });

test("a limit or a fault of the token service stops no reads of containers whose tokens are there", async () => {
  const { read, asked, answers } = clouds();
  answers.set("token a/limited", tooMany);
  answers.set("token e/down", () => new Response("upstream request timeout", { status: 504 }));
  for (const container of CONTAINERS) expect(await read(container)).toHaveLength(4);
  for (let i = 0; i < 3; i++) {
    await expect(read("a/limited")).rejects.toMatchObject({ name: "TokenServiceError", retryAfter: 23 });
    await expect(read("e/down")).rejects.toMatchObject({ name: "TokenServiceError", retryAfter: 10 });
    for (const container of CONTAINERS) expect(await read(container)).toHaveLength(4);
  }
  for (const container of CONTAINERS) {
    expect([asked.get(`token ${container}`), asked.get(container)]).toEqual([1, 4]);
  }
  expect([asked.get("a/limited"), asked.get("e/down")]).toEqual([undefined, undefined]);
});

test("an account that asks for a pause is left alone, and no other below the same wildcard", async () => {
  const { read, asked, answers } = clouds();
  answers.set("b/one", () => new Response(null, { status: 503, headers: { "Retry-After": "60" } }));
  await expect(read("b/one")).rejects.toMatchObject({ code: "unavailable", retryAfter: 60 });
  await expect(read("b/one")).rejects.toMatchObject({ code: "unavailable", retryAfter: 60 });
  expect(asked.get("b/one")).toBe(1);
  for (const container of CONTAINERS.filter((name) => name !== "b/one")) expect(await read(container)).toHaveLength(4);
});
