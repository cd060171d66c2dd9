import type { Store } from "@swath/store";
import { type Identity, ownerIdentity } from "../identity.ts";
import { type Finding, FindingCache, GOOD_MS, UNKNOWN_MS } from "../secrets/finding-cache.ts";
import { isSecret, matchesSecret, prefixOf } from "../secrets/secrets.ts";
import type { KeyLookup } from "./key-lookup.ts";

const LOOKUP = `select k.id, s.salt, s.hash, s.expires from key_secret s
  join api_key k on k.id = s.key_id where s.prefix = $1 and k.disabled is null`;

/**
 * Looks the owner's keys up in the store and caches what it found, by the hash of the key, for up to 30 s. A store that
 * does not answer is an error, never a good key.
 */
export function storedKeyLookup(store: Store, now: () => number = Date.now): KeyLookup {
  const look = async (key: string, asked: number): Promise<Finding<Identity>> => {
    const rows = await store.query(LOOKUP, [prefixOf(key)]);
    let finding: Finding<Identity> = { value: undefined, until: asked + UNKNOWN_MS };
    for (const { id, salt, hash, expires } of rows) {
      const end = expires === null ? Number.POSITIVE_INFINITY : Number(expires);
      if (matchesSecret(key, { salt: String(salt), hash: String(hash) }) && end > asked) {
        finding = { value: ownerIdentity(String(id)), until: Math.min(asked + GOOD_MS, end) };
      }
    }
    return finding;
  };
  const findings = new FindingCache({ look, now });
  return { identify: async (key) => (isSecret(key) ? findings.find(key) : undefined) };
}
