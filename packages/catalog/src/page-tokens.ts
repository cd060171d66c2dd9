import { createHmac, timingSafeEqual } from "node:crypto";
import { MAX_TOKEN_LENGTH } from "@swath/query";
import { CatalogError } from "./errors.ts";

/** Signs paging tokens, so that none but this installation's own is read. */
export interface PageTokens {
  /**
   * @returns the token with its signature; undefined where it is then too long to be sent back.
   */
  sign(token: string): string | undefined;
  /**
   * The token that was signed.
   *
   * @throws {CatalogError} `invalid-token` for any other text.
   */
  read(signed: string): string;
}

/** Characters of base64url for 132 bits of the signature, which come before the token. */
const SIGNATURE = 22;

/**
 * Tokens with HMAC-SHA256 in front. They carry what an upstream said of its next page, such as headers and a query: without
 * a signature whoever writes a token would write what this service sends there.
 *
 * @param secret of the installation, for this purpose; all nodes have the same.
 */
export function pageTokens(secret: Uint8Array): PageTokens {
  const signatureOf = (token: string): string =>
    createHmac("sha256", secret).update(token).digest("base64url").slice(0, SIGNATURE);
  return {
    sign(token) {
      const signed = `${signatureOf(token)}${token}`;
      return signed.length <= MAX_TOKEN_LENGTH ? signed : undefined;
    },
    read(signed) {
      const token = signed.slice(SIGNATURE);
      const [given, expected] = [Buffer.from(signed.slice(0, SIGNATURE)), Buffer.from(signatureOf(token))];
      if (given.length === expected.length && timingSafeEqual(given, expected)) return token;
      throw new CatalogError("invalid-token", "The token is not one of this service.");
    },
  };
}
