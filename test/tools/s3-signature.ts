import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A request as it came over the wire: header names in lower case, the target with its query, as sent. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Account {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type Verdict =
  | { readonly good: true; readonly payloadHash: string }
  | { readonly good: false; readonly code: string; readonly why: string };

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";
/** Clocks may differ by this much. */
const SKEW_MS = 15 * 60_000;
const LONGEST_LINK_SECONDS = 604_800;

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

const decode = (text: string): string => decodeURIComponent(text);

/** Name and value pairs of a query, decoded; `+` stays a plus, as S3 reads it in a canonical request. */
function pairsOf(query: string): [string, string][] {
  return query
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The canonical request of Signature Version 4 as Amazon S3 wants it: the path is encoded once and not normalised. */
export function canonicalRequest(request: WireRequest, signedHeaders: readonly string[], payloadHash: string): string {
  const [path = "/", query = ""] = request.target.split(/\?(.*)/s);
  const canonicalPath = path
    .split("/")
    .map((part) => encode(decode(part)))
    .join("/");
  const canonicalQuery = pairsOf(query)
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const headers = signedHeaders.map((name) => `${name}:${(request.headers[name] ?? "").trim().replace(/ +/g, " ")}\n`);
  return [request.method, canonicalPath, canonicalQuery, headers.join(""), signedHeaders.join(";"), payloadHash].join(
    "\n",
  );
}

/** The signature of a canonical request. `scope` is `yyyymmdd/region/service/aws4_request`. */
export function signatureOf(canonical: string, time: string, scope: string, secret: string): string {
  const [day = "", region = "", service = "", end = ""] = scope.split("/");
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), end);
  return hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join("\n")).toString("hex");
}

interface Claim {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly time: string;
  readonly payloadHash: string;
  /** Seconds that a presigned link is good for. */
  readonly expires?: number;
}

const bad = (code: string, why: string): Verdict => ({ good: false, code, why });

/** `20130524T000000Z` in milliseconds since 1970; NaN for anything else. */
function parseTime(text: string): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (match === null) return Number.NaN;
  const [, y, mo, d, h, mi, s] = match;
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
}

function claimOf(request: WireRequest): Claim | Verdict {
  const query = new Map(pairsOf(request.target.split(/\?(.*)/s)[1] ?? ""));
  const authorization = request.headers.authorization;
  if (query.has("X-Amz-Signature")) {
    if (authorization !== undefined) return bad("InvalidArgument", "Signed twice.");
    const expires = query.get("X-Amz-Expires") ?? "";
    if (query.get("X-Amz-Algorithm") !== ALGORITHM) return bad("AuthorizationQueryParametersError", "Algorithm.");
    if (!/^\d+$/.test(expires) || Number(expires) < 1 || Number(expires) > LONGEST_LINK_SECONDS) {
      return bad("AuthorizationQueryParametersError", `X-Amz-Expires is "${expires}".`);
    }
    return {
      credential: query.get("X-Amz-Credential") ?? "",
      signedHeaders: (query.get("X-Amz-SignedHeaders") ?? "").split(";"),
      signature: query.get("X-Amz-Signature") ?? "",
      time: query.get("X-Amz-Date") ?? "",
      payloadHash: UNSIGNED,
      expires: Number(expires),
    };
  }
  if (authorization === undefined) return bad("AccessDenied", "Anonymous.");
  const match = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    authorization,
  );
  if (match === null) return bad("AuthorizationHeaderMalformed", authorization);
  const payloadHash = request.headers["x-amz-content-sha256"];
  if (payloadHash === undefined) return bad("InvalidRequest", "x-amz-content-sha256 is missing.");
  const [, credential = "", signed = "", signature = ""] = match;
  const time = request.headers["x-amz-date"] ?? "";
  return { credential, signedHeaders: signed.split(";"), signature, time, payloadHash };
}

/** Judges a request as Amazon S3 does; the caller checks the payload hash of the body. */
export function verify(request: WireRequest, account: Account, region: string, now: number): Verdict {
  const claim = claimOf(request);
  if ("good" in claim) return claim;
  const [accessKeyId, ...scope] = claim.credential.split("/");
  if (accessKeyId !== account.accessKeyId) return bad("InvalidAccessKeyId", String(accessKeyId));
  const expected = `${claim.time.slice(0, 8)}/${region}/s3/aws4_request`;
  if (scope.join("/") !== expected) return bad("AuthorizationHeaderMalformed", `Scope ${scope.join("/")}.`);
  const sorted = [...claim.signedHeaders].sort(compare);
  if (sorted.join() !== claim.signedHeaders.join() || !sorted.includes("host")) {
    return bad("AccessDenied", "Signed headers are out of order or lack host.");
  }
  // Amazon S3 wants every x-amz- header signed
  const loose = Object.keys(request.headers).filter((name) => name.startsWith("x-amz-") && !sorted.includes(name));
  if (loose.length > 0) return bad("AccessDenied", `There were headers present which were not signed: ${loose}.`);
  const time = parseTime(claim.time);
  if (Number.isNaN(time)) return bad("AccessDenied", "No date.");
  if (claim.expires === undefined && Math.abs(now - time) > SKEW_MS) return bad("RequestTimeTooSkewed", claim.time);
  if (time - now > SKEW_MS) return bad("AccessDenied", "Request is not yet valid.");
  if (claim.expires !== undefined && now > time + claim.expires * 1000)
    return bad("AccessDenied", "Request has expired.");
  const canonical = canonicalRequest(request, claim.signedHeaders, claim.payloadHash);
  const signature = signatureOf(canonical, claim.time, scope.join("/"), account.secretAccessKey);
  const same =
    signature.length === claim.signature.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(claim.signature));
  return same ? { good: true, payloadHash: claim.payloadHash } : bad("SignatureDoesNotMatch", canonical);
}
