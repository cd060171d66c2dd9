import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** Letters and digits of secrets. */
export const SECRET_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 40;
const PREFIX_LENGTH = 8;
const SECRET = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`);

/** A new secret: 40 random letters and digits, 238 bits. */
export function makeSecret(): string {
  return Array.from({ length: LENGTH }, () => SECRET_CHARACTERS[randomInt(SECRET_CHARACTERS.length)]).join("");
}

/** Whether the text has the form of a secret at all. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The part of a secret that is shown in lists and looked up by: 190 bits stay unknown. */
export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}

export interface HashedSecret {
  readonly prefix: string;
  /** 16 random bytes, hexadecimal. */
  readonly salt: string;
  /** HMAC-SHA256 of the secret under the salt, hexadecimal. */
  readonly hash: string;
}

/**
 * Returns the hash that is stored for a secret. A slow password hash would add nothing: it makes guessing dear where
 * there are few guesses, and 190 unknown random bits are beyond any guessing, while every request would pay for it.
 */
export function hashSecret(secret: string, salt: string = randomBytes(16).toString("hex")): HashedSecret {
  return { prefix: prefixOf(secret), salt, hash: createHmac("sha256", salt).update(secret).digest("hex") };
}

/** Compares in constant time. */
export function matchesSecret(secret: string, { salt, hash }: Pick<HashedSecret, "salt" | "hash">): boolean {
  const [candidate, known] = [Buffer.from(hashSecret(secret, salt).hash), Buffer.from(hash)];
  return candidate.length === known.length && timingSafeEqual(candidate, known);
}
