import { createHmac, timingSafeEqual } from "node:crypto";

/** Time for which a link to a result is good, seconds. */
export const LINK_SECONDS = 3600;

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

/** @param secret of the installation. */
export function linkSigner(secret: Uint8Array): LinkSigner {
  const signature = (id: string, file: string, expires: string): Buffer =>
    createHmac("sha256", secret).update(`${id}/${file}\n${expires}`).digest();
  return {
    sign(baseUrl, id, file, now) {
      const expires = Math.floor(now.getTime() / 1000) + LINK_SECONDS;
      const sig = signature(id, file, String(expires)).toString("base64url");
      const path = `${baseUrl}/v1/results/${id}/${encodeURIComponent(file)}`;
      return { href: `${path}?expires=${expires}&sig=${sig}`, expires: expires * 1000 };
    },
    isGood(id, file, { expires = "", sig = "" }, now) {
      const given = Buffer.from(sig, "base64url");
      const expected = signature(id, file, expires);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      return /^\d{1,12}$/.test(expires) && now.getTime() < Number(expires) * 1000;
    },
  };
}
