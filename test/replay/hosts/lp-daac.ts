import { randomUUID } from "node:crypto";
import type { Shelf } from "../files/shelf.ts";
import { fileAnswer, type Host, type ReplayAnswer, type ReplayRequest, xmlError } from "../messages.ts";

/** LP DAAC's door, and the two stores behind it. */
export interface LpDaac {
  /** `data.lpdaac.earthdatacloud.nasa.gov` */
  readonly door: Host;
  /** The content network that readers from elsewhere are sent to. */
  readonly cloudFront: Host;
  /** The signed address of S3 that readers within us-west-2 are sent to. */
  readonly bucket: Host;
  /** `urs.earthdata.nasa.gov`, the login page. */
  readonly login: Host;
  /** Sets the host that readers are sent to. */
  sendTo(where: "cloudfront" | "s3"): void;
}

export const CLOUD_FRONT = "d1nklfio7vscoe.cloudfront.net";
export const PROTECTED_BUCKET = "lp-prod-protected.s3.us-west-2.amazonaws.com";
const DOOR = "https://data.lpdaac.earthdatacloud.nasa.gov";

/** @param token the one bearer token that is good. */
export function lpDaac(shelf: Shelf, token: string): LpDaac {
  const signature = randomUUID();
  let where: "cloudfront" | "s3" = "cloudfront";

  const read = async (request: ReplayRequest, key: string): Promise<ReplayAnswer> => {
    const file = shelf.find(`${DOOR}/${key}`);
    const bytes = file && (await shelf.read(file));
    return bytes === undefined
      ? xmlError(404, "NoSuchKey", "The specified key does not exist.")
      : fileAnswer(request, bytes);
  };
  return {
    door: async (request) => {
      const { url, headers } = request;
      const key = url.pathname.slice(1);
      if (key.startsWith("lp-prod-public/")) return read(request, key);
      const { authorization } = headers;
      if (authorization === undefined) return toLogin(url);
      // the door's answer to an expired token was not recorded; its software answers like this
      if (authorization !== `Bearer ${token}`)
        return { status: 401, headers: { "content-type": "text/html" }, body: "" };
      const [bucket = "", ...rest] = key.split("/");
      const path = rest.join("/");
      const location =
        where === "cloudfront"
          ? `https://${CLOUD_FRONT}/s3-credential/${bucket}.s3.us-west-2.amazonaws.com/${path}?A-userid=reader&Expires=4102444800&Signature=${signature}&Key-Pair-Id=K1`
          : `https://${bucket}.s3.us-west-2.amazonaws.com/${path}?A-userid=reader&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=A&X-Amz-Expires=3600&X-Amz-Signature=${signature}`;
      return { status: 303, headers: { location } };
    },
    cloudFront: (request) => {
      const { url, headers, method } = request;
      const isSigned = url.searchParams.get("Signature") === signature;
      if (!isSigned || headers.authorization !== undefined || method === "HEAD") {
        return xmlError(403, "AccessDenied", "Access Denied");
      }
      const [, bucket = "", path = ""] = /^\/s3-[^/]+\/([^./]+)\.s3\.[^/]+\/(.+)$/.exec(url.pathname) ?? [];
      return read(request, `${bucket}/${path}`);
    },
    bucket: (request) => {
      const { url, headers } = request;
      const isSigned = url.searchParams.get("X-Amz-Signature") === signature;
      // a second way of signing makes S3 refuse the first
      if (!isSigned || headers.authorization !== undefined) return xmlError(403, "AccessDenied", "Access Denied");
      return read(request, `lp-prod-protected${url.pathname}`);
    },
    login: () => ({
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<!DOCTYPE html>\n<html><head><title>Earthdata Login</title></head><body>Sign in</body></html>\n",
    }),
    sendTo: (which) => {
      where = which;
    },
  };
}

function toLogin(url: URL): ReplayAnswer {
  const back = encodeURIComponent(`${url.origin}/login`);
  const location = `https://urs.earthdata.nasa.gov/oauth/authorize?app_type=401&client_id=c&response_type=code&redirect_uri=${back}&state=s`;
  return { status: 302, headers: { location } };
}
