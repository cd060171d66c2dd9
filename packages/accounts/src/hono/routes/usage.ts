import { z } from "@hono/zod-openapi";
import { JSON_TYPE } from "@swath/web";
import { endOfMonth, monthOf } from "../../calendar.ts";
import type { Identity } from "../../identity.ts";
import type { UnitAccounts } from "../../metering/reservations/unit-accounts.ts";
import type { Usage } from "../../metering/reservations/usage.ts";
import { payerOf } from "../../metering/units/payer.ts";
import { TIERS } from "../../metering/units/tiers.ts";
import { fromUnits, type Units } from "../../metering/units/units.ts";
import { DATA } from "../access/route-access.ts";
import type { AccountEnv } from "../metering/context.ts";
import { addMeteredRoute, type MeteredRouter } from "../metering/route.ts";
import { NO_STORE } from "./models.ts";

const MONTH = /^2\d{3}-(?:0[1-9]|1[0-2])$/;
const UsageQuery = z.strictObject({
  month: z
    .string()
    .regex(MONTH, "Expected a month such as 2026-11")
    .optional()
    .openapi({ description: "Month, UTC, such as 2026-11; default: the current one." }),
});

const units = z.number().min(0).openapi({ description: "Units, with at most four decimals." });
const counts = { units, requests: z.int().min(0) };

const usageModel = (link: z.ZodType) =>
  z
    .object({
      tier: z.enum(["owner", "free", "pro"]),
      period: z.object({
        from: z.string().openapi({ format: "date-time" }),
        to: z.string().openapi({ format: "date-time", description: "The month ends before it." }),
      }),
      units: z.object({
        limit: units.nullable().openapi({ description: "Of a month; null: there is none." }),
        spent: units,
        remaining: units.nullable(),
        restricted: z.boolean().openapi({ description: "The month's units are spent: smaller limits apply." }),
        restrictedRemaining: units
          .nullable()
          .openapi({ description: "Units that can be spent in restricted mode, in all." }),
      }),
      requests: z.object({
        total: z.int().min(0).openapi({ description: "Requests that were not refused." }),
        perMinute: z.int().nullable().openapi({ description: "Limit; null: requests are limited by the second." }),
      }),
      byDay: z.array(z.object({ date: z.string().openapi({ format: "date" }), ...counts })),
      byRoute: z.array(z.object({ route: z.string().openapi({ description: "Operation id." }), ...counts })),
      keys: z.array(
        z.object({
          id: z.string().openapi({ description: "Id of the key; `session` for sessions of the website." }),
          prefix: z.string().nullable().openapi({ description: "How the key begins; null where that is not known." }),
          ...counts,
        }),
      ),
      links: z.array(link),
    })
    .meta({ id: "Usage", description: "Units and requests of a month." });

type Document = z.infer<ReturnType<typeof usageModel>>;

/** Limits of a tier in units; those of the owner's keys are none. */
function unitsDocument(tier: Identity["tier"], spent: number): Document["units"] {
  const outside = (value: number): number => fromUnits(Math.max(0, value) as Units);
  if (tier !== "free" && tier !== "pro") {
    return { limit: null, spent: outside(spent), remaining: null, restricted: false, restrictedRemaining: null };
  }
  const { unitsPerMonth, restrictedUnits } = TIERS[tier];
  return {
    limit: outside(unitsPerMonth),
    spent: outside(spent),
    remaining: outside(unitsPerMonth - spent),
    restricted: spent >= unitsPerMonth,
    restrictedRemaining: outside(Math.min(restrictedUnits, unitsPerMonth + restrictedUnits - spent)),
  };
}

const countsOf = (found: { readonly units: number; readonly requests: number }) => ({
  units: fromUnits(found.units as Units),
  requests: found.requests,
});

async function keysOf({ byKey }: Usage, prefixOf: UsageRoutes["keyPrefixOf"]): Promise<Document["keys"]> {
  return Promise.all(
    byKey.map(async (each) => ({ id: each.id, prefix: (await prefixOf?.(each.id)) ?? null, ...countsOf(each) })),
  );
}

/** The counts that `/v1/usage` answers from. */
export interface UsageRoutes {
  readonly units: UnitAccounts;
  readonly now: () => Date;
  /** Returns how a key begins, by its id; undefined where that is not known. */
  readonly keyPrefixOf?: (id: string) => Promise<string | undefined>;
  /** Model of links of the service's documents: an object with at least `rel` and `href`. */
  readonly link: z.ZodType;
}

/** Registers `/v1/usage`: units and requests of a month. */
export function registerUsage<E extends AccountEnv>(
  router: MeteredRouter<E>,
  { units: accounts, now, keyPrefixOf, link }: UsageRoutes,
): void {
  addMeteredRoute(
    router as unknown as MeteredRouter,
    {
      method: "get",
      path: "/v1/usage",
      operationId: "getUsage",
      tag: "Account",
      summary: "Units and requests of a month",
      description:
        "Of the account of the key, token or session; of the service's owner with one of its keys. Units count as soon as their answer is sent, those of a background job when it is done.",
      access: DATA,
      query: UsageQuery,
      responses: { 200: { description: "The usage.", content: { [JSON_TYPE]: { schema: usageModel(link) } } } },
    },
    async (c, { query }) => {
      const identity = c.get("identity");
      const payer = payerOf(identity);
      if (payer === undefined) throw new Error("Anonymous callers have no usage.");
      const month = query.month ?? monthOf(now().getTime());
      const usage = await accounts.usage(payer.id, month);
      const from = Date.parse(`${month}-01T00:00:00Z`);
      const href = `${c.get("baseUrl")}/v1/usage`;
      const document: Document = {
        tier: identity.tier as Document["tier"],
        period: { from: new Date(from).toISOString(), to: new Date(endOfMonth(from)).toISOString() },
        units: unitsDocument(identity.tier, usage.units),
        requests: {
          total: usage.requests,
          perMinute:
            identity.tier === "free" || identity.tier === "pro" ? TIERS[identity.tier].requestsPerMinute : null,
        },
        byDay: usage.byDay.map(({ date, ...each }) => ({ date, ...countsOf(each) })),
        byRoute: usage.byRoute.map(({ route, ...each }) => ({ route, ...countsOf(each) })),
        keys: await keysOf(usage, keyPrefixOf),
        links: [
          {
            rel: "self",
            href: query.month === undefined ? href : `${href}?month=${month}`,
            type: JSON_TYPE,
            title: "This usage",
          },
        ],
      };
      return Response.json(document, { headers: { "Cache-Control": NO_STORE } });
    },
  );
}
