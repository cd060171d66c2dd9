import { z } from "@hono/zod-openapi";
import { fromUnits, GUEST_UNITS, GUESTS, type People, TOKEN_MS, takeFrom } from "@swath/accounts";
import { readBounded, siteOnly } from "@swath/web";
import { PUBLIC } from "../../access/route-access.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { ProblemError } from "../../errors/problems.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import type { SiteParts } from "../../operations/services.ts";
import { MAX_ACCOUNT_BYTES } from "./account-models.ts";

const PATH = "/v1/guest";
const GuestToken = z
  .object({
    accessToken: z.string(),
    tokenType: z.literal("Bearer"),
    expiresIn: z.int(),
    units: z.number().openapi({ description: "Units that the token is good for." }),
  })
  .meta({ id: "GuestToken" });

export function registerGuests(
  router: Router,
  { metrics, http }: Pick<SiteParts, "metrics" | "http">,
  accounts: People,
): void {
  router.app.use(PATH, siteOnly(http));
  addRoute(
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
        throw new ProblemError("invalid-body", detail, { errors: [{ pointer: "", detail }] });
      }
      await takeFrom(accounts.limits, GUESTS, c.get("clientNetwork")());
      const accessToken = await accounts.tokens.issueGuest(c.req.header("Origin"));
      metrics?.account("guest");
      const body = { accessToken, tokenType: "Bearer", expiresIn: TOKEN_MS / 1000, units: fromUnits(GUEST_UNITS) };
      return Response.json(body, { status: 201, headers: { "Cache-Control": NO_STORE } });
    },
  );
}
