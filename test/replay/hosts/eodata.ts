import { type Account, verify } from "../../tools/s3-signature.ts";
import type { Shelf } from "../files/shelf.ts";
import { fileAnswer, type Host, xmlError } from "../messages.ts";

/**
 * The object store of Copernicus Data Space: one bucket, by path, with keys of an account of its own. Those of Amazon are
 * unknown here.
 */
export function eodata(shelf: Shelf, account: Account, now: () => number): Host {
  return async (request) => {
    const { headers, method, target, url } = request;
    const verdict = verify({ method, target, headers }, account, "default", now());
    if (!verdict.good) {
      const isUnknown = verdict.code === "InvalidAccessKeyId";
      const message = isUnknown ? "The AWS Access Key Id you provided does not exist in our records." : verdict.code;
      return xmlError(403, verdict.code, message);
    }
    const file = shelf.find(`s3:/${decodeURIComponent(url.pathname)}`);
    const bytes = file && (await shelf.read(file));
    if (bytes === undefined) return xmlError(404, "NoSuchKey", "");
    return fileAnswer(request, bytes, { "content-type": "application/octet-stream" });
  };
}
