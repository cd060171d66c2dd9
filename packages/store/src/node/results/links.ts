import { createHmac, timingSafeEqual } from "node:crypto";

/** Time for which a link to a result is good, seconds. */
export const LINK_SECONDS = 3600;

/** A link to a result, good until it ends. */
export interface SignedLink {
  readonly href: string;
  /** End of the link, milliseconds since 1970. */
  readonly expires: number;
}

/** Signs and verifies links to result files. */
export interface LinkSigner {
  sign(baseUrl: string, id: string, file: string, now: Date): SignedLink;
  /** Whether `sig` is the signature of this file and time, and the time is not over. */
  isGood(
    id: string,
    file: string,
    query: { expires?: string | undefined; sig?: string | undefined },
    now: Date,
  ): boolean;
}

/**
 * Signs links by HMAC-SHA256 (RFC 2104) of the file's name and the end.
 *
 * @param secret of the installation.
 * @param path of the address under which files are served, below the base URL, such as `/v1/results`.
 */
export function linkSigner(secret: Uint8Array, path: string): LinkSigner {
  const signature = (id: string, file: string, expires: string): Buffer =>
    createHmac("sha256", secret).update(`${id}/${file}\n${expires}`).digest();
  return {
    sign(baseUrl, id, file, now) {
      const expires = Math.floor(now.getTime() / 1000) + LINK_SECONDS;
      const sig = signature(id, file, String(expires)).toString("base64url");
      const address = `${baseUrl}${path}/${id}/${encodeURIComponent(file)}`;
      return { href: `${address}?expires=${expires}&sig=${sig}`, expires: expires * 1000 };
    },
    isGood(id, file, { expires = "", sig = "" }, now) {
      const given = Buffer.from(sig, "base64url");
      const expected = signature(id, file, expires);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return /^\d{1,12}$/.test(expires) && now.getTime() < Number(expires) * 1000;
    },
  };
}
