import { z } from "@hono/zod-openapi";
import { type Admission, admissionOf, fromUnits, ownerIdentity, toUnits } from "@swath/accounts";
import { createAccess, DATA, keyAuthenticator, PUBLIC } from "@swath/accounts/hono";
import { expect, test } from "vitest";
import { ProblemError } from "../../src/errors/problems.ts";
import type { AppContext } from "../../src/http/request/context.ts";
import { addRoute } from "../../src/http/request/route.ts";
import { createApp } from "../../src/service/app.ts";
import { KEY, sandboxServices } from "../tools/harness.ts";
import { UnitsAdmission } from "./units-admission.ts";

const LIMIT = toUnits(10);
const responses = { 200: { description: "Fine." } };
const NumberQuery = z.strictObject({ size: z.string().regex(/^\d+$/).transform(Number).default(256) });

const COSTS = {
  size: ({ query }: { readonly query: { readonly size: number } }) => toUnits(query.size ** 2 / 262_144),
  "by-plan": "by-plan",
  none: undefined,
} as const;

type Handler = (c: AppContext) => Promise<Response> | Response;

/** A service of one route, `/v1/thing`, that costs size²/262,144 units. */
async function service(
  handler: Handler,
  { admission = new UnitsAdmission(LIMIT) as Admission, cost = "size" as keyof typeof COSTS } = {},
) {
  const services = await sandboxServices();
  const app = createApp(services, {
    access: createAccess({ authenticators: [keyAuthenticator(services.keys)], missingDetail: "No key." }),
    admission,
    modules: [
      (router) => {
        const spec = { method: "get", tag: "Test", summary: "A thing", responses, query: NumberQuery } as const;
        addRoute(
          router,
          {
            ...spec,
            path: "/v1/thing",
            operationId: "getThing",
            access: DATA,
            ...(COSTS[cost] === undefined ? {} : { cost: COSTS[cost] }),
          },
          handler,
        );
        addRoute(router, { ...spec, path: "/v1/public", operationId: "getPublic", access: PUBLIC }, handler);
      },
    ],
  });
  return (path = "/v1/thing", init: RequestInit = {}) =>
    app.request(`http://service.test${path}`, { headers: { "X-API-Key": KEY }, ...init });
}

test.each([
  { units: 0, steps: 0 },
  { units: 0.01, steps: 100 },
  { units: 0.005, steps: 50 },
  { units: (256 * 256) / 262_144, steps: 2500 },
  // one band of three: 0.0833… is rounded up
  { units: ((256 * 256) / 262_144) * (1 / 3), steps: 834 },
  { units: ((2500 * 2500) / 262_144) * (4 / 3) * 2, steps: 635_783 },
  // sums and products in doubles carry errors that are no step more
  { units: 0.07, steps: 700 },
  { units: 0.1 + 0.2, steps: 3000 },
  { units: Array.from({ length: 1000 }, () => 0.001).reduce((sum, each) => sum + each, 0), steps: 10_000 },
  { units: 0.00001, steps: 1 },
])("$units units are $steps steps of 1/10,000, rounded up", ({ units, steps }) => {
  expect(toUnits(units)).toBe(steps);
  expect(fromUnits(toUnits(units))).toBe(steps / 10_000);
});

test("rounding up once never charges less, nor a step more than the sum", () => {
  for (let i = 1; i < 2000; i++) {
    const units = i / 777;
    expect(fromUnits(toUnits(units))).toBeGreaterThanOrEqual(units - 1e-9);
    expect(fromUnits(toUnits(units))).toBeLessThan(units + 1e-4);
  }
});

test.each([Number.NaN, -0.1, Number.POSITIVE_INFINITY, 1e300])("%s is no number of units", (value) => {
  expect(() => toUnits(value)).toThrow(RangeError);
});

test("a good answer is charged once, and says so", async () => {
  const admission = new UnitsAdmission(LIMIT);
  const ask = await service(() => new Response("fine"), { admission });
  const response = await ask("/v1/thing?size=512");
  expect([response.status, await response.text()]).toEqual([200, "fine"]);
  expect(response.headers.get("X-Units-Spent")).toBe("1");
  expect(response.headers.get("X-Units-Remaining")).toBe("9");
  expect(admission).toMatchObject({ arrived: 1, reserved: 0, spent: toUnits(1) });
  expect(admission.events).toEqual(["admit getThing 1", "charge 1"]);
});

test.each<{ name: string; handler: Handler; status: number }>([
  { name: "a 304", handler: () => new Response(null, { status: 304 }), status: 304 },
  { name: "an answer that is a problem", handler: () => new Response("no", { status: 404 }), status: 404 },
  {
    name: "a problem that is thrown",
    handler: () => {
      throw new ProblemError("unknown-band", "No such band.");
    },
    status: 422,
  },
  { name: "an unexpected error", handler: () => Promise.reject(new Error("a fault")), status: 500 },
  {
    name: "a stream that fails before its first byte",
    handler: () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error("a fault")) })),
    status: 500,
  },
])("$name is released", async ({ handler, status }) => {
  const admission = new UnitsAdmission(LIMIT);
  const response = await (await service(handler, { admission }))();
  expect(response.status).toBe(status);
  expect(response.headers.has("X-Units-Spent")).toBe(false);
  expect(admission).toMatchObject({ reserved: 0, spent: 0, arrived: 1 });
  expect(admission.events).toEqual(["admit getThing 0.25", "release 0.25"]);
});

test("a refused request runs nothing, and a malformed one is counted but reserves nothing", async () => {
  const admission = new UnitsAdmission(toUnits(0.3));
  let runs = 0;
  const ask = await service(
    () => {
      runs++;
      return new Response("fine");
    },
    { admission },
  );
  expect((await ask("/v1/thing?size=wide")).status).toBe(400);
  expect((await ask("/v1/thing", { headers: {} })).status).toBe(401);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  expect(runs).toBe(1);
  expect(admission).toMatchObject({ arrived: 3, reserved: 0, spent: toUnits(0.25) });
  expect((await ask("/v1/public")).status).toBe(200);
  expect(admission).toMatchObject({ arrived: 3, spent: toUnits(0.25) });
});

test("a client that closes the connection while its answer is made is not charged", async () => {
  const admission = new UnitsAdmission(LIMIT);
  const client = new AbortController();
  const ask = await service(
    () => {
      client.abort();
      return new Response("fine");
    },
    { admission },
  );
  await ask("/v1/thing", { headers: { "X-API-Key": KEY }, signal: client.signal });
  expect(admission.events).toEqual(["admit getThing 0.25", "release 0.25"]);
});

test("a client that closes the connection before the first byte of a stream is not charged, and the stream ends", async () => {
  const admission = new UnitsAdmission(LIMIT);
  const client = new AbortController();
  let cancelled = false;
  const silent = new ReadableStream({
    pull: () => {
      client.abort();
      return new Promise<void>(() => {});
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const ask = await service(() => new Response(silent), { admission });
  const response = await ask("/v1/thing", { headers: { "X-API-Key": KEY }, signal: client.signal });
  expect(response.status).toBe(499);
  expect(cancelled).toBe(true);
  expect(admission.events).toEqual(["admit getThing 0.25", "release 0.25"]);
});

test("a stream is charged when its first bytes are there, and is sent whole", async () => {
  const admission = new UnitsAdmission(LIMIT);
  const chunks = ["one ", "two ", "three"];
  const events: string[] = [];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const chunk = chunks.shift();
        events.push(`${chunk} after ${admission.events.length}`);
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    },
    { highWaterMark: 0 },
  );
  const response = await (await service(() => new Response(stream), { admission }))();
  expect(admission.events).toEqual(["admit getThing 0.25", "charge 0.25"]);
  expect(await response.text()).toBe("one two three");
  expect(events[0]).toBe("one  after 1");
  expect(admission).toMatchObject({ reserved: 0, spent: toUnits(0.25) });
});

test("a stream that fails later was charged, and breaks off", async () => {
  const admission = new UnitsAdmission(LIMIT);
  let sent = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (sent) throw new Error("a fault");
        sent = true;
        controller.enqueue(new TextEncoder().encode("one"));
      },
    },
    { highWaterMark: 0 },
  );
  const response = await (await service(() => new Response(stream), { admission }))();
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("a fault");
  expect(admission.events).toEqual(["admit getThing 0.25", "charge 0.25"]);
});

test("an operation that plans first admits its own cost, and costs nothing where it does not", async () => {
  const admission = new UnitsAdmission(LIMIT);
  let isCached = false;
  const ask = await service(
    async (c) => {
      if (!isCached) await c.get("meter").admit(toUnits(0.5));
      return new Response("fine");
    },
    { admission, cost: "by-plan" },
  );
  expect((await ask()).headers.get("X-Units-Spent")).toBe("0.5");
  isCached = true;
  expect((await ask()).headers.has("X-Units-Spent")).toBe(false);
  expect(admission.events).toEqual(["admit getThing 0.5", "charge 0.5"]);
  expect(admission).toMatchObject({ arrived: 2, spent: toUnits(0.5) });
});

test("a request is admitted once", async () => {
  const admission = new UnitsAdmission(LIMIT);
  const twice = await service(
    async (c) => {
      await c.get("meter").admit(toUnits(0.5));
      await c.get("meter").admit(toUnits(0.5));
      return new Response("fine");
    },
    { admission, cost: "by-plan" },
  );
  expect((await twice()).status).toBe(500);
  expect(admission.events).toEqual(["admit getThing 0.5", "release 0.5"]);
});

test("an answer that cannot be charged is not sent", async () => {
  const admission = new UnitsAdmission(LIMIT);
  admission.failNext = "charge";
  const response = await (await service(() => new Response("fine"), { admission }))();
  expect(response.status).toBe(500);
  expect(admission.events).toEqual(["admit getThing 0.25", "charge 0.25", "release 0.25"]);
  expect(admission).toMatchObject({ reserved: 0, spent: 0 });
});

test("a reservation that cannot be released does not change the answer", async () => {
  const admission = new UnitsAdmission(LIMIT);
  admission.failNext = "release";
  const response = await (await service(() => new Response(null, { status: 304 }), { admission }))();
  expect(response.status).toBe(304);
});

test("requests at once never reserve more than there is", async () => {
  const admission = new UnitsAdmission(toUnits(1));
  // no answer is given before all have asked
  const allAsked = expect.poll(() => admission.arrived).toBe(7);
  const ask = await service(() => Promise.resolve(allAsked).then(() => new Response("fine")), { admission });
  const answers = await Promise.all(Array.from({ length: 7 }, () => ask()));
  await allAsked;
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429, 429]);
  expect(admission).toMatchObject({ reserved: 0, spent: toUnits(1), arrived: 7 });
});

test("request counts count what arrives, whatever comes of it, and charge nothing", async () => {
  const counted: string[] = [];
  const admission = admissionOf({ limits: { admit: async ({ subject }) => void counted.push(subject) } });
  const ask = await service(() => Promise.reject(new Error("a fault")), { admission, cost: "none" });
  expect((await ask()).status).toBe(500);
  expect((await ask("/v1/thing?size=wide")).status).toBe(400);
  expect((await ask("/v1/public")).status).toBe(500);
  expect((await ask("/v1/thing", { headers: { "X-API-Key": "wrong" } })).status).toBe(401);
  expect(counted).toHaveLength(2);
  const admitted = await admission.admit(ownerIdentity("mine"), {
    route: "getThing",
    cost: toUnits(0),
  });
  expect(await admitted.charge(toUnits(1))).toBeUndefined();
});
