import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import { pino } from "pino";
import { createAccess } from "../src/access/access.ts";
import { DATA } from "../src/access/route-access.ts";
import { createApp } from "../src/app.ts";
import { createHttpServer } from "../src/http/http-server.ts";
import { addRoute } from "../src/http/route.ts";
import { toUnits } from "../src/metering/units.ts";
import type { Services } from "../src/services.ts";
import { openStore } from "../src/state/open-store.ts";
import { accountIdentity, unitNode } from "./unit-nodes.ts";

/** Settings of a node of `unit-kills.test.ts`, as JSON in its environment. */
export interface UnitServerSettings {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly shared: boolean;
  /** The clock: at `started` (epoch milliseconds) it was `time`, and it runs `speed` times as fast. */
  readonly clock: { readonly started: number; readonly time: number; readonly speed: number };
}

const settings = JSON.parse(process.env.UNIT_SERVER ?? "{}") as UnitServerSettings;
const { started, time, speed } = settings.clock;
const now = (): number => Math.floor(time + (Date.now() - started) * speed);
const store = await openStore(settings);
const node = unitNode(store, { now, shared: settings.shared });

const WorkQuery = z.strictObject({
  units: z.string().transform(Number),
  ms: z.string().transform(Number),
  end: z.enum(["known", "stream", "problem", "broken"]),
});

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

const app = createApp({ log: pino({ level: "silent" }), http: {} } as Services, {
  access: createAccess({
    authenticators: [
      {
        kinds: ["key"],
        scheme: { name: "Key", definition: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key." } },
        read: ({ header }) => header("X-API-Key"),
        // the usage then names each request
        identify: async (secret) => {
          const [account = "", request = ""] = secret.split(".");
          return accountIdentity(account, "pro", request);
        },
        invalidDetail: "No such key.",
        challenge: () => "ApiKey",
      },
    ],
    missingDetail: "No key.",
  }),
  admission: node.admission,
  modules: [
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
