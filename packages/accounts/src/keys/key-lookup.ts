import { createHash, timingSafeEqual } from "node:crypto";
import { type Identity, ownerIdentity } from "../identity.ts";

/** Knows which keys are good. */
export interface KeyLookup {
  /** Returns the holder of the key; undefined where it is unknown or disabled. The key itself is neither kept nor logged. */
  identify(key: string): Promise<Identity | undefined>;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Looks keys up in a list fixed at start. Compares every entry, in constant time: the time taken shows nothing. */
export function fixedKeyLookup(keys: readonly string[]): KeyLookup {
  const entries = keys.map((key) => {
    const hash = digest(key);
    return { hash, identity: ownerIdentity(hash.toString("hex").slice(0, 16)) };
  });
  return {
    async identify(key) {
      const candidate = digest(key);
      let found: Identity | undefined;
      for (const entry of entries) if (timingSafeEqual(entry.hash, candidate)) found = entry.identity;
      return found;
    },
  };
}

/** Asks the lookups in turn; the first that knows the key decides. */
export function anyKeyLookup(lookups: readonly KeyLookup[]): KeyLookup {
  return {
    async identify(key) {
      for (const lookup of lookups) {
        const identity = await lookup.identify(key);
        if (identity !== undefined) return identity;
      }
      return undefined;
    },
  };
}
