import { z } from "@hono/zod-openapi";
import { JSON_TYPE, RequestProblem, readBounded } from "@swath/web";
import { siteOnly } from "@swath/web/origins";
import { GUESTS, takeFrom } from "../../metering/counters/account-limits.ts";
import { GUEST_UNITS } from "../../metering/units/tiers.ts";
import { fromUnits } from "../../metering/units/units.ts";
import { TOKEN_MS } from "../../tokens/stored-tokens.ts";
import { PUBLIC } from "../access/route-access.ts";
import { addMeteredRoute, type MeteredRouter } from "../metering/route.ts";
import { MAX_ACCOUNT_BYTES, NO_STORE } from "./models.ts";
import type { AccountRoutes } from "./options.ts";

const PATH = "/v1/guest";
const GuestToken = z
  .object({
    accessToken: z.string(),
    tokenType: z.literal("Bearer"),
    expiresIn: z.int(),
    units: z.number().openapi({ description: "Units that the token is good for." }),
  })
  .meta({ id: "GuestToken" });

/** Registers `/v1/guest`: tokens for pages of the website. */
export function registerGuests(router: MeteredRouter, { people: accounts, site, onEvent }: AccountRoutes): void {
  router.app.use(PATH, siteOnly(site));
  addMeteredRoute(
    router,
    {
      method: "post",
      path: PATH,
      operationId: "createGuestToken",
      tag: "Account",
      summary: "A token for tiles and previews, without an account",
      description: "For pages of the service's website. The token is good for an hour, and for its origin alone.",
      access: PUBLIC,
      problems: [403, 413, 429],
      responses: { 201: { description: "A token.", content: { [JSON_TYPE]: { schema: GuestToken } } } },
    },
    async (c) => {
      const sent = new TextDecoder().decode(await readBounded(c.req.raw, MAX_ACCOUNT_BYTES));
      if (!/^\s*(\{\s*\}\s*)?$/.test(sent)) {
        const detail = "This request takes no body.";
        throw new RequestProblem("invalid-body", detail, { errors: [{ pointer: "", detail }] });
      }
      await takeFrom(accounts.limits, GUESTS, c.get("clientNetwork")());
      const accessToken = await accounts.tokens.issueGuest(c.req.header("Origin"));
      onEvent?.("guest");
      const body = { accessToken, tokenType: "Bearer", expiresIn: TOKEN_MS / 1000, units: fromUnits(GUEST_UNITS) };
      return Response.json(body, { status: 201, headers: { "Cache-Control": NO_STORE } });
    },
  );
}
