import { z } from "@hono/zod-openapi";
import { JSON_TYPE } from "@swath/web";
import { type AccountKey, KEY_SCOPES } from "../../keys/account-keys.ts";
import { TIERS } from "../../metering/units/tiers.ts";
import { fromUnits } from "../../metering/units/units.ts";
import type { Account } from "../../people/account.ts";
import { MAX_EMAIL, parseEmailAddress } from "../../people/email-address.ts";

/** No cache keeps what is about one account. */
export const NO_STORE = "no-store";

/** Most that a body about accounts may have, bytes. */
export const MAX_ACCOUNT_BYTES = 65_536;

/** Characters that no name has: they break lines, or are halves of others. */
const isLine = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && /\S/.test(text);

/** Name of an account or a key. */
export const Name = z.string().min(1).max(64).refine(isLine, { error: "Expected one line of text." });

/** Address of an account. */
export const Email = z
  .string()
  .max(MAX_EMAIL)
  .refine((text) => parseEmailAddress(text) !== undefined, { error: "Expected an e-mail address." })
  .openapi({ format: "email", description: "Compared in lower case." });

/** A time, RFC 3339. */
export const dateTime = z.string().openapi({ format: "date-time" });

/** Makes the model of an account's document, with the service's model of links. */
export const accountModel = (link: z.ZodType) =>
  z
    .object({
      id: z.string(),
      email: z.string(),
      emailVerified: z.boolean(),
      name: z.string().nullable(),
      tier: z.enum(["free", "pro"]),
      created: dateTime,
      limits: z.object({
        unitsPerMonth: z.number(),
        unitsPerMinute: z.number(),
        requestsPerMinute: z.int(),
        concurrentRequests: z.int(),
        keys: z.int(),
      }),
      keys: z.object({ active: z.int(), max: z.int() }),
      links: z.array(link),
    })
    .meta({ id: "Account" });
/** The model of an account's document. */
export type AccountModel = ReturnType<typeof accountModel>;

/** Writes the document of an account. */
export function accountDocument(
  { id, email, name, tier, created, verified }: Account,
  activeKeys: number,
  baseUrl: string,
): z.infer<AccountModel> {
  const { unitsPerMonth, unitsPerMinute, requestsPerMinute, concurrentRequests, keys } = TIERS[tier];
  return {
    id,
    email,
    emailVerified: verified !== undefined,
    name: name ?? null,
    tier,
    created: new Date(created).toISOString(),
    limits: {
      unitsPerMonth: fromUnits(unitsPerMonth),
      unitsPerMinute: fromUnits(unitsPerMinute),
      requestsPerMinute,
      concurrentRequests,
      keys,
    },
    keys: { active: activeKeys, max: keys },
    links: [
      { rel: "self", href: `${baseUrl}/v1/account`, type: JSON_TYPE, title: "This account" },
      { rel: "keys", href: `${baseUrl}/v1/keys`, type: JSON_TYPE, title: "Keys of this account" },
      { rel: "usage", href: `${baseUrl}/v1/usage`, type: JSON_TYPE, title: "Units and requests of this month" },
    ],
  };
}

/** Model of a key, which does not have its secret. */
export const KeyDocument = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().openapi({ description: "First eight characters of the secret." }),
    scopes: z.array(z.enum(KEY_SCOPES)),
    created: dateTime,
    lastUsed: dateTime.nullable().openapi({ description: "To the hour." }),
    expires: dateTime.nullable(),
    status: z.enum(["active", "expired", "revoked", "suspended"]),
    clientId: z.string().openapi({ description: "OAuth client id, whose secret is the key." }),
  })
  .meta({ id: "Key" });

/** Model of a key that was just made. */
export const NewKeyDocument = KeyDocument.extend({
  secret: z.string().openapi({ description: "The key. It is shown this once and not stored." }),
}).meta({ id: "NewKey" });

/** Writes the document of a key. */
export function keyDocument(key: AccountKey): z.infer<typeof KeyDocument> {
  const { id, name, prefix, scopes, created, lastUsed, expires, status } = key;
  const time = (value: number | undefined): string | null =>
    value === undefined ? null : new Date(value).toISOString();
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    created: new Date(created).toISOString(),
    lastUsed: time(lastUsed),
    expires: time(expires),
    status,
    clientId: id,
  };
}
