import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "@hono/zod-openapi";
import { admissionOf, anonymousIdentity, toUnits } from "@swath/accounts";
import { createAccess, DATA, type RouteAccess } from "@swath/accounts/hono";
import { FinishedImages, ImageCache, type PlannedImage, type RenderedImage } from "@swath/engine/node/images";
import { planImage, type TileJob } from "@swath/engine/node/jobs";
import type { Store } from "@swath/store";
import { createHttpServer } from "@swath/web/server";
import { pino } from "pino";
import { accountIdentity, unitNode } from "../../../../test/tools/unit-nodes.ts";
import { ProblemError } from "../../src/errors/problems.ts";
import { addRoute } from "../../src/http/request/route.ts";
import { IMAGES } from "../../src/http/request/route-access.ts";
import { openStore } from "../../src/open/open-store.ts";
import type { Services } from "../../src/operations/services.ts";
import { sendImage } from "../../src/routes/images/images.ts";
import { createApp } from "../../src/service/app.ts";

/** Settings of a node of `unit-kills.long.test.ts`, as JSON in its environment. */
export interface UnitServerSettings {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** The clock: at `started` (epoch milliseconds) it was `time`, and it runs `speed` times as fast. */
  readonly clock: { readonly started: number; readonly time: number; readonly speed: number };
}

const settings = JSON.parse(process.env.UNIT_SERVER ?? "{}") as UnitServerSettings;
const { started, time, speed } = settings.clock;
const now = (): number => Math.floor(time + (Date.now() - started) * speed);
const store = await openStore(settings);

/** A store whose answers to charges take a while, so that clients leave before, while and after a charge is written. */
function slow(inner: Store): Store {
  const wait = (): Promise<void> => pause(Math.random() * 8);
  return {
    engine: inner.engine,
    async query(text, parameters) {
      const rows = await inner.query(text, parameters);
      if (text.includes("swath_settle")) await wait();
      return rows;
    },
    exec: (text) => inner.exec(text),
    async transaction(name, work, options) {
      const result = await inner.transaction(name, work, options);
      if (name.startsWith("units ")) await wait();
      return result;
    },
    scrub: () => inner.scrub(),
    close: () => inner.close(),
  };
}
const node = unitNode(slow(store), { now });

const WorkQuery = z.strictObject({
  units: z.string().transform(Number),
  ms: z.string().transform(Number),
  end: z.enum(["known", "stream", "problem", "broken"]),
});

const ImageQuery = z.strictObject({
  image: z.string(),
  units: z.string().transform(Number),
  ms: z.string().transform(Number),
  end: z.enum(["known", "problem", "broken"]),
});

/** Images whose pixels cost as many units as are asked for, and take as long to render as their job says. */
const images = new FinishedImages(
  new ImageCache(
    {
      async render(job, { signal }) {
        const { ms, end } = JSON.parse((job as TileJob).style.expression ?? "{}") as { ms: number; end: string };
        await pause(ms, undefined, { signal });
        if (end === "problem") throw new ProblemError("not-found", "Nothing.");
        if (end === "broken") throw new Error("a fault");
        const image: RenderedImage = {
          bytes: new TextEncoder().encode("an image"),
          format: "png",
          used: [],
          skipped: [],
          truncated: false,
        };
        return image;
      },
    },
    1e8,
  ),
);

/** 512 × 512 pixels of three bands cost a unit. */
function planned({ image, units, ms, end }: z.infer<typeof ImageQuery>): PlannedImage {
  const job = {
    kind: "tile",
    grid: { width: units * 262_144, height: 1 },
    scenes: units === 0 ? [] : [{ id: image }],
    more: false,
    style: { expression: JSON.stringify({ ms, end }) },
    format: "png",
  } as unknown as TileJob;
  const collection = { attribution: "Nobody {years}" } as PlannedImage["collection"];
  const plan = { ...planImage({ ...job, scenes: [] } as TileJob, []), job, key: image };
  return { plan, collection, bands: 3, items: [], isSettled: true };
}

/** A body whose length is not known, in two pieces. */
function stream(): ReadableStream<Uint8Array> {
  const pieces = ["fi", "ne"];
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) return controller.close();
      controller.enqueue(new TextEncoder().encode(piece));
      await pause(1);
    },
  });
}

/** Images by a key, or by a token of a map. */
const IMAGES_OR_MAP: RouteAccess = {
  credentials: ["anonymous", "key", "map"],
  scopes: [...IMAGES.scopes, "map"],
};

const app = createApp({ log: pino({ level: "silent" }), http: {} } as Services, {
  access: createAccess({
    authenticators: [
      {
        kinds: ["key", "map"],
        scheme: { name: "Key", definition: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key." } },
        read: ({ header }) => header("X-API-Key"),
        // the usage then names each request
        identify: async (secret) => {
          const [account = "", request = "", map] = secret.split(".");
          const identity = accountIdentity(account, "pro", request);
          if (map === undefined) return identity;
          // a token of a map of the account
          return {
            ...identity,
            credential: "map",
            scopes: ["map"],
            map: { id: `map of ${account}`, unitsPerDay: 100_000 },
          };
        },
        invalidDetail: "No such key.",
        challenge: () => "ApiKey",
      },
    ],
    anonymous: ({ network }) => anonymousIdentity(network()),
    missingDetail: "No key.",
  }),
  admission: admissionOf(
    {
      limits: { admit: async () => {} },
      units: node.accounts,
      addressLimits: { take: async () => undefined, removeExpired: async () => {} },
    },
    { now },
  ),
  modules: [
    (router) =>
      addRoute(
        router,
        {
          method: "get",
          path: "/v1/image",
          operationId: "image",
          tag: "Test",
          summary: "An image",
          access: IMAGES_OR_MAP,
          cost: "by-plan",
          query: ImageQuery,
          responses: { 200: { description: "Fine." } },
        },
        (c, { query }) =>
          sendImage(c, images, {
            address: query.image,
            plan: async () => ({ planned: planned(query), cacheControl: "private" }),
          }),
      ),
    (router) =>
      addRoute(
        router,
        {
          method: "get",
          path: "/v1/work",
          operationId: "work",
          tag: "Test",
          summary: "Work",
          access: DATA,
          cost: "by-plan",
          query: WorkQuery,
          responses: { 200: { description: "Fine." } },
        },
        async (c, { query: { units, ms, end } }) => {
          await c.get("meter").admit(toUnits(units));
          await pause(ms, undefined, { signal: c.get("signal") });
          if (end === "problem") throw new ProblemError("not-found", "Nothing.");
          if (end === "broken") throw new Error("a fault");
          return end === "stream" ? new Response(stream()) : c.text("fine");
        },
      ),
  ],
});
const server = createHttpServer(app, { hostname: "127.0.0.1" });
server.listen(0, "127.0.0.1", () => console.log(`listens on ${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", async () => {
  server.close();
  server.closeAllConnections();
  await node.accounts.close();
  await store.close();
  process.exit(0);
});
