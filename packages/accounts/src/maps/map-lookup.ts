import type { Store, StoreRow } from "@swath/store";
import { CredentialError } from "../errors.ts";
import type { Identity } from "../identity.ts";
import { ACCOUNT_TIERS } from "../people/account.ts";
import { type Finding, FindingCache, GOOD_MS, UNKNOWN_MS } from "../secrets/finding-cache.ts";
import { hashOf, sameHash } from "../secrets/secret-hash.ts";
import { listOf } from "./map-tokens.ts";
import type { MarkedSecrets } from "./marked-secrets.ts";

/** Finds the holder of a map token. */
export interface MapLookup {
  /**
   * @param origin of the page that shows the map; undefined where the request names none.
   * @returns undefined where the token is unknown, expired or ended, or its account is deleted.
   * @throws {CredentialError} `suspended`, `unverified`; `other-map-origin` for a page that may not show the map.
   */
  identify(token: string, origin: string | undefined): Promise<Identity | undefined>;
  /** Forgets what this node remembers of the secrets with these hashes: they were ended here. */
  forget(hashes: readonly string[]): void;
}

type Held =
  | { readonly identity: Identity; readonly origins: readonly string[] | undefined }
  | { readonly refusal: "suspended" | "unverified" };

const FIND = `select m.id, m.hash, m.account_id, m.presets, m.collections, m.origins, m.units_day, m.expires,
    a.tier, a.payer, a.verified, a.suspended
  from map_token m left join account a on a.id = m.account_id and a.deleted is null
  where m.hash = $1 and m.ended is null and m.expires > $2`;

/**
 * Looks map tokens up by their hash and remembers what it found as `credentialLookup` does, for at most 30 s. Text without
 * the mark of `secrets` is not looked up.
 */
export function mapLookup(store: Store, secrets: MarkedSecrets, now: () => number): MapLookup {
  const look = async (token: string, asked: number): Promise<Finding<Held>> => {
    const hash = hashOf(token);
    const [row] = await store.query(FIND, [hash, asked]);
    const held = row === undefined || !sameHash(String(row.hash), hash) ? undefined : heldBy(row);
    if (held === undefined || "refusal" in held) return { value: held, until: asked + UNKNOWN_MS };
    return { value: held, until: Math.min(asked + GOOD_MS, Number(row?.expires)) };
  };
  const findings = new FindingCache({ look, now });
  return {
    async identify(token, origin) {
      if (!(await secrets.isMarked(token))) return undefined;
      const held = await findings.find(token);
      if (held === undefined) return undefined;
      if ("refusal" in held) throw new CredentialError(held.refusal);
      const isElsewhere = held.origins !== undefined && origin !== undefined && !held.origins.includes(origin);
      if (isElsewhere) throw new CredentialError("other-map-origin");
      return held.identity;
    },
    forget: (hashes) => findings.forget(hashes),
  };
}

function heldBy(row: StoreRow): Held | undefined {
  const id = String(row.id);
  const [presets, collections] = [listOf(row.presets), listOf(row.collections)];
  const map = {
    id,
    unitsPerDay: Number(row.units_day),
    ...(presets === undefined ? {} : { presets }),
    ...(collections === undefined ? {} : { collections }),
  };
  const shared = { credential: "map", subject: `map-${id}`, usedKey: id, scopes: ["map"], map } as const;
  const origins = listOf(row.origins);
  if (row.account_id === null) return { identity: { ...shared, tier: "owner" }, origins };
  const tier = ACCOUNT_TIERS.find((each) => each === row.tier);
  // of an account that is deleted
  if (tier === undefined) return undefined;
  if (row.suspended !== null) return { refusal: "suspended" };
  if (row.verified === null) return { refusal: "unverified" };
  const payer = row.payer === null ? {} : { payer: String(row.payer) };
  return { identity: { ...shared, account: String(row.account_id), ...payer, tier }, origins };
}
