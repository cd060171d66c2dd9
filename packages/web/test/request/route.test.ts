import { OpenAPIHono, z } from "@hono/zod-openapi";
import { problemErrors } from "@swath/problem";
import { expect, test } from "vitest";
import { notServed } from "../../src/answer/not-served.ts";
import { problemAnswers } from "../../src/answer/problems.ts";
import type { WebEnv } from "../../src/context.ts";
import { PathTable } from "../../src/request/paths.ts";
import { requestScope } from "../../src/request/request-scope.ts";
import { addRoute, type Router } from "../../src/request/route.ts";

class Closed extends problemErrors({
  closed: { status: 403, title: "Closed", description: "Nobody may ask.", remedy: "Ask another day." },
}) {}

interface Made {
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly router: Router<WebEnv, string>;
}

function service(): Made {
  const app = new OpenAPIHono<WebEnv>({ strict: false });
  const paths = new PathTable("a page");
  const { response } = problemAnswers((error) => error);
  app.use(requestScope({}));
  app.onError(response);
  app.notFound(notServed({ paths, accepted: ["Accept"], respond: response }));
  const router = { app, paths, suggest: (given: string, known: readonly string[]) => ` ${given} or ${known.join()}?` };
  return { router, ask: async (path, init) => app.request(`http://service.test${path}`, init) };
}

const SPEC = { tag: "Test", summary: "A test", responses: { 200: { description: "Fine." } } } as const;
const Thing = z.strictObject({ size: z.number() });

test("what runs before a route is asked before anything of the request is read", async () => {
  const { ask, router } = service();
  const body = { json: Thing, maxBytes: 64 };
  const before = (): void => {
    throw new Closed("closed", "It is Sunday.");
  };
  addRoute(router, { ...SPEC, method: "post", path: "/closed", operationId: "a", body }, () => new Response(), {
    before,
  });
  addRoute(router, { ...SPEC, method: "post", path: "/open", operationId: "b", body }, (_, input) =>
    Response.json(input.body),
  );
  const headers = { "Content-Type": "application/json" };
  const sent = { method: "POST", headers, body: '{"sise":3}' };
  const refused = await ask("/closed", sent);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "closed", detail: "It is Sunday." }]);
  const read = await ask("/open", sent);
  expect([read.status, await read.json()]).toMatchObject([
    400,
    { errors: [{ pointer: "/size" }, { pointer: "/sise", detail: 'Unknown member "sise". sise or size?' }] },
  ]);
});

test("a path keeps facts of its own, or those of the table", () => {
  const { router } = service();
  router.paths.add("/docs", ["GET"]);
  addRoute(router, { ...SPEC, method: "get", path: "/things/{id}", operationId: "a" }, () => new Response(), {
    facts: "a thing",
  });
  expect(router.paths.list()).toEqual([
    { template: "/docs", methods: ["GET"], facts: "a page" },
    { template: "/things/{id}", methods: ["GET", "HEAD"], facts: "a thing" },
  ]);
});

test("an operation has the statuses of its parts, in the words of the service where it has some", () => {
  const { router } = service();
  addRoute(
    router,
    {
      ...SPEC,
      method: "post",
      path: "/things",
      operationId: "a",
      body: { json: Thing, form: Thing, maxBytes: 64 },
      problems: [429, 418],
      statuses: { 429: { description: "Too much tea." } },
      security: [{}],
    },
    () => new Response(),
  );
  const { paths } = router.app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  const post = paths?.["/things"]?.post as
    | { responses: Record<string, { description: string }>; security: object; requestBody: { content: object } }
    | undefined;
  expect(Object.entries(post?.responses ?? {}).map(([status, each]) => [status, each.description])).toEqual([
    ["200", "Fine."],
    ["400", "A parameter or the body is malformed."],
    ["413", "The body or the output is over a size limit."],
    ["415", "The body has a media type that is not read."],
    ["418", "A problem."],
    ["429", "Too much tea."],
    ["500", "The service failed unexpectedly."],
  ]);
  expect(post?.security).toEqual([{}]);
  expect(Object.keys(post?.requestBody.content ?? {})).toEqual([
    "application/json",
    "application/x-www-form-urlencoded",
  ]);
});

test("an address that there is names its methods, and a preflight passes anywhere", async () => {
  const { ask, router } = service();
  addRoute(router, { ...SPEC, method: "get", path: "/things", operationId: "a" }, () => new Response());
  const wrong = await ask("/things", { method: "PUT" });
  expect([wrong.status, wrong.headers.get("Allow"), await wrong.json()]).toMatchObject([
    405,
    "GET, HEAD, OPTIONS",
    { code: "method-not-allowed" },
  ]);
  const none = await ask("/nothing");
  expect([none.status, none.headers.get("Cache-Control")]).toEqual([404, "max-age=60"]);
  const headers = { "Access-Control-Request-Method": "POST" };
  const preflight = await ask("/nothing", { method: "OPTIONS", headers });
  expect([preflight.status, preflight.headers.get("Access-Control-Allow-Headers")]).toEqual([204, "Accept"]);
});

test("an unforeseen failure is 500 without its words, and a client that has gone is answered nothing", async () => {
  const { ask, router } = service();
  addRoute(router, { ...SPEC, method: "get", path: "/fails", operationId: "a" }, () => {
    throw new Error("secret");
  });
  const failed = await ask("/fails");
  expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining("secret")]);
  const gone = new AbortController();
  gone.abort();
  const unread = await ask("/fails", { signal: gone.signal });
  expect([unread.status, await unread.text()]).toEqual([499, ""]);
});
