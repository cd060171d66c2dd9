import { z } from "@hono/zod-openapi";
import { DATA, PUBLIC } from "@swath/accounts/hono";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { isProblem } from "../../errors/problems.ts";
import { NO_STORE } from "../../http/answer/documents.ts";
import type { AppContext } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";

const Token = z.object({ access_token: z.string() }).meta({ id: "OpenEoToken" });
const Me = z.looseObject({ user_id: z.string() }).meta({ id: "OpenEoUser" });

/** The password of an `Authorization: Basic` header (RFC 7617); any user name goes with it. */
function passwordOf(header: string | undefined): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 || colon === text.length - 1 ? undefined : text.slice(colon + 1);
}

/** The key that is sent as a password, where it is good. */
async function checkedKey({ access }: Router, c: AppContext): Promise<string> {
  const key = passwordOf(c.req.header("Authorization"));
  if (key === undefined)
    throw access.missing("Expected HTTP Basic credentials: any user name, and a key as the password.");
  try {
    await access.identify(DATA, {
      header: (name) => (name.toLowerCase() === "x-api-key" ? key : undefined),
      network: () => c.get("clientNetwork")(),
    });
  } catch (error) {
    const isWrong = isProblem(error) && error.code === "invalid-key";
    throw isWrong ? access.missing("The key that was sent as the password is unknown or disabled.") : error;
  }
  return key;
}

/** Routes by which clients of openEO show who asks. */
export function registerOpenEoAccount(router: Router): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/openeo/credentials/basic",
      operationId: "getOpenEoToken",
      tag: "openEO",
      summary: "A bearer token for a key",
      description:
        "HTTP Basic with any user name and a key as the password. The token is sent as `Authorization: Bearer basic//{token}`.",
      access: PUBLIC,
      problems: [401, 403, 429],
      responses: { 200: { description: "The token.", content: { [JSON_TYPE]: { schema: Token } } } },
    },
    async (c) => {
      const key = await checkedKey(router, c);
      return Response.json({ access_token: key }, { headers: { "Cache-Control": NO_STORE } });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/openeo/me",
      operationId: "getOpenEoUser",
      tag: "openEO",
      summary: "Who asks",
      access: DATA,
      responses: { 200: { description: "The caller.", content: { [JSON_TYPE]: { schema: Me } } } },
    },
    (c) => {
      const { subject, account } = c.get("identity");
      const body = { user_id: account ?? subject, name: account ?? subject, links: [] };
      return Response.json(body, { headers: { "Cache-Control": NO_STORE } });
    },
  );
}
