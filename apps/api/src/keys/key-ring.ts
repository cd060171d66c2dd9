import { createHash, timingSafeEqual } from "node:crypto";

/** Who sent a request: `id` is safe to log and to count by, the key itself is neither kept nor logged. */
export interface Identity {
  readonly id: string;
}

/** Knows which keys are good. */
export interface KeyRing {
  identify(key: string): Promise<Identity | undefined>;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A ring of keys fixed at start. Every key is compared, in constant time, so that an answer's time tells nothing. */
export function fixedKeyRing(keys: readonly string[]): KeyRing {
  const entries = keys.map((key) => {
    const hash = digest(key);
    return { hash, identity: { id: hash.toString("hex").slice(0, 16) } };
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

/** Asks the rings in turn; the first that knows the key decides. */
export function anyKeyRing(rings: readonly KeyRing[]): KeyRing {
  return {
    async identify(key) {
      for (const ring of rings) {
        const identity = await ring.identify(key);
        if (identity !== undefined) return identity;
      }
      return undefined;
    },
  };
}
