import { createHash, timingSafeEqual } from "node:crypto";

/**
 * SHA-256 of a secret, hexadecimal: what is stored of self-service keys, tokens and mailed links, and what they are
 * found by. A salt would add nothing, since no two secrets are the same and none is guessed: each has 238 random bits.
 */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Compares two hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
