import { createHash } from "node:crypto";
import { InFlight } from "@swath/http";
import { LRUCache } from "lru-cache";
import type { Store } from "../../state/store.ts";
import { type Identity, ownerIdentity } from "../identity.ts";
import type { KeyLookup } from "./key-lookup.ts";
import { isSecret, matchesSecret, prefixOf } from "./secrets.ts";

/** How long a key that was found good is taken for good. A disabled key must stop within a minute; this is half of it. */
const GOOD_MS = 30_000;
/** How long an unknown key is taken for unknown. New secrets are random, so none of them was asked for before. */
const UNKNOWN_MS = 5000;
const MAX_REMEMBERED = 20_000;

const LOOKUP = `select k.id, s.salt, s.hash, s.expires from key_secret s
  join api_key k on k.id = s.key_id where s.prefix = $1 and k.disabled is null`;

interface Finding {
  readonly identity: Identity | undefined;
  readonly until: number;
}

/**
 * Looks keys up in the store and caches what it found, by the hash of the key, for up to 30 s. A store that does not
 * answer is an error, never a good key.
 */
export function storedKeyLookup(store: Store, now: () => number = Date.now): KeyLookup {
  const findings = new LRUCache<string, Finding>({ max: MAX_REMEMBERED });
  const lookups = new InFlight<Finding>();

  const look = async (key: string): Promise<Finding> => {
    // the time before the question: what was disabled after it is found out by the next one
    const asked = now();
    const rows = await store.query(LOOKUP, [prefixOf(key)]);
    let finding: Finding = { identity: undefined, until: asked + UNKNOWN_MS };
    for (const { id, salt, hash, expires } of rows) {
      const end = expires === null ? Number.POSITIVE_INFINITY : Number(expires);
      if (matchesSecret(key, { salt: String(salt), hash: String(hash) }) && end > asked) {
        finding = { identity: ownerIdentity(String(id)), until: Math.min(asked + GOOD_MS, end) };
      }
    }
    return finding;
  };

  return {
    async identify(key) {
      if (!isSecret(key)) return undefined;
      const name = createHash("sha256").update(key).digest("base64");
      const known = findings.get(name);
      if (known !== undefined && now() < known.until && now() >= known.until - GOOD_MS) return known.identity;
      const finding = await lookups.share(name, () => look(key));
      findings.set(name, finding);
      return finding.identity;
    },
  };
}
