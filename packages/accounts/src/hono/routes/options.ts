import type { z } from "@hono/zod-openapi";
import type { SiteOrigins } from "@swath/web/origins";
import type { People } from "../../open-people.ts";

/** Events of accounts, for metrics. */
export type AccountEvent = "link" | "sign-up" | "sign-in" | "deleted" | "key" | "guest" | "token";

/** A resource of the service that takes OAuth tokens (RFC 9728). */
export interface ProtectedResource {
  /** Path of the resource on the service; empty: the whole service. */
  readonly path: string;
  /** Operation id of the route that describes it. */
  readonly operationId: string;
}

/** The service that accounts belong to. */
export interface AccountRoutes {
  /** Accounts, keys, sessions, tokens and mails, as `openAccounts` gives them. */
  readonly people: People;
  /** Address of the service, and origins of its website, whose pages alone may call routes of accounts. */
  readonly site: SiteOrigins;
  /** Name of the service in challenges (RFC 9110 section 11.5). */
  readonly realm: string;
  readonly now: () => Date;
  /** Model of links of the service's documents: an object with at least `rel` and `href`. */
  readonly link: z.ZodType;
  /** The OAuth documents; `cacheControl` and `version`, which begins their ETags, are as in the service's other documents. */
  readonly oauth: {
    readonly resources: readonly ProtectedResource[];
    /** Path of the page that explains accounts. */
    readonly documentation: string;
    readonly cacheControl: string;
    readonly version: string;
  };
  readonly onEvent?: (event: AccountEvent) => void;
}
