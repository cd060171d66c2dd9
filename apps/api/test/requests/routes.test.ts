import { z } from "@hono/zod-openapi";
import { admissionOf } from "@swath/accounts";
import { createAccess, DATA, PUBLIC } from "@swath/accounts/hono";
import { expect, test } from "vitest";
import { addRoute, type Router } from "../../src/http/request/route.ts";
import { openApiDocument } from "../../src/routes/site/openapi.ts";
import { createApp } from "../../src/service/app.ts";
import { sandboxServices } from "../tools/harness.ts";

const Thing = z.strictObject({ name: z.string(), size: z.number() });
const ThingForm = z.strictObject({ name: z.string(), size: z.string().regex(/^\d+$/).transform(Number) });
const responses = { 200: { description: "Fine." } };

/** Routes of every method, whose bodies are JSON, a form, or either. */
function registerThings(router: Router): void {
  const spec = { tag: "Test", access: PUBLIC, responses } as const;
  for (const method of ["get", "put", "patch", "delete"] as const) {
    addRoute(router, { ...spec, method, path: "/v1/thing", operationId: `${method}Thing`, summary: method }, () =>
      Response.json({ method }),
    );
  }
  const bodies = {
    either: { json: Thing, form: ThingForm, maxBytes: 64 },
    json: { json: Thing, maxBytes: 64 },
    form: { form: ThingForm, maxBytes: 64 },
  };
  for (const [name, body] of Object.entries(bodies)) {
    addRoute(
      router,
      { ...spec, method: "post", path: `/v1/${name}`, operationId: name, summary: name, body },
      (_, input) => Response.json(input.body),
    );
  }
  addRoute(
    router,
    { ...spec, access: DATA, method: "get", path: "/v1/closed", operationId: "getClosed", summary: "closed" },
    () => Response.json({}),
  );
}

async function service() {
  const access = createAccess({ authenticators: [], missingDetail: "Nobody may ask." });
  let router: Router | undefined;
  const app = createApp(await sandboxServices(), {
    access,
    admission: admissionOf({ limits: { admit: async () => {} } }),
    modules: [
      registerThings,
      (each) => {
        router = each;
      },
    ],
  });
  return {
    ask: (path: string, init: RequestInit = {}) => app.request(`http://service.test${path}`, init),
    document: () => openApiDocument(router as Router, "0")("http://service.test"),
  };
}

test("a route is reached by its method, and the others are named where it is not", async () => {
  const { ask } = await service();
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const response = await ask("/v1/thing", { method });
    expect(await response.json()).toEqual({ method: method.toLowerCase() });
  }
  const wrong = await ask("/v1/thing", { method: "POST" });
  expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"]);
  const preflight = await ask("/v1/thing", { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
  expect((await ask("/v1/either", { method: "OPTIONS" })).headers.get("Access-Control-Allow-Methods")).toBe(
    "POST, OPTIONS",
  );
});

const JSON_BODY = '{"name":"a","size":3}';
const FORM_BODY = "name=a&size=3";
const FORM = "application/x-www-form-urlencoded";

test.each([
  { path: "/v1/either", type: "application/json", body: JSON_BODY, status: 200 },
  { path: "/v1/either", type: "application/geo+json; charset=utf-8", body: JSON_BODY, status: 200 },
  { path: "/v1/either", type: FORM, body: FORM_BODY, status: 200 },
  { path: "/v1/either", type: `${FORM}; charset=utf-8`, body: FORM_BODY, status: 200 },
  { path: "/v1/either", type: "text/csv", body: "a,3", status: 415, accept: `application/json, ${FORM}` },
  { path: "/v1/json", type: FORM, body: FORM_BODY, status: 415, accept: "application/json" },
  { path: "/v1/form", type: "application/json", body: JSON_BODY, status: 415, accept: FORM },
  { path: "/v1/form", type: FORM, body: FORM_BODY, status: 200 },
  { path: "/v1/form", type: FORM, body: "name=a&name=b&size=3", status: 400, pointer: "/name" },
  { path: "/v1/form", type: FORM, body: "name=a&size=large", status: 400, pointer: "/size" },
  { path: "/v1/form", type: FORM, body: "name=a&size=3&__proto__=x", status: 400, pointer: "/__proto__" },
  { path: "/v1/form", type: FORM, body: `name=${"a".repeat(80)}&size=3`, status: 413 },
  { path: "/v1/json", type: "application/json", body: FORM_BODY, status: 400, pointer: "" },
])("$path takes a body of $type: $status", async ({ path, type, body, status, accept, pointer }) => {
  const { ask } = await service();
  const response = await ask(path, { method: "POST", headers: { "Content-Type": type }, body });
  expect(response.status).toBe(status);
  const answer = (await response.json()) as { readonly errors?: readonly { readonly pointer: string }[] };
  if (status === 200) expect(answer).toEqual({ name: "a", size: 3 });
  expect(response.headers.get("Accept")).toBe(accept ?? null);
  if (pointer !== undefined) expect(answer.errors?.[0]?.pointer).toBe(pointer);
});

test("a body without a media type is read as the route's first", async () => {
  const { ask } = await service();
  const send = async (path: string, text: string) =>
    (await ask(path, { method: "POST", body: new TextEncoder().encode(text) })).json();
  expect(await send("/v1/either", JSON_BODY)).toEqual({ name: "a", size: 3 });
  expect(await send("/v1/form", FORM_BODY)).toEqual({ name: "a", size: 3 });
});

test("the OpenAPI document says which media types and methods there are, and what callers without a right get", async () => {
  const { document } = await service();
  const paths = document().paths as Record<string, Record<string, Record<string, Record<string, object>>>>;
  expect(Object.keys(paths["/v1/thing"] ?? {})).toEqual(["get", "put", "patch", "delete"]);
  const content = (path: string) =>
    Object.keys((paths[path]?.post?.requestBody as { content?: object } | undefined)?.content ?? {});
  expect(content("/v1/either")).toEqual(["application/json", FORM]);
  expect(content("/v1/json")).toEqual(["application/json"]);
  expect(content("/v1/form")).toEqual([FORM]);
  const statuses = (path: string) => Object.keys(paths[path]?.get?.responses ?? {});
  expect(statuses("/v1/thing")).toEqual(["200", "400", "500", "503", "504"]);
  expect(statuses("/v1/closed")).toEqual(["200", "400", "401", "429", "500", "503", "504"]);
});
