import { readText, retryAfterSeconds } from "@swath/http";
import { CogError } from "../errors.ts";

const THROTTLED = /SlowDown|Throttl|RequestLimitExceeded|TooManyRequests|BandwidthLimitExceeded|ServiceUnavailable/i;
/** Codes of S3 and Azure for a key or token that is missing, wrong or expired. */
const UNAUTHORIZED: ReadonlySet<string> = new Set([
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "ExpiredToken",
  "InvalidToken",
  "TokenRefreshRequired",
  "RequestTimeTooSkewed",
  "AuthenticationFailed",
  "InvalidAuthenticationInfo",
  "NoAuthenticationInformation",
  "PublicAccessNotPermitted",
]);
/** Codes of S3 for a request that went to, or was signed for, another region than the bucket's. */
const WRONG_REGION: ReadonlySet<string> = new Set([
  "PermanentRedirect",
  "TemporaryRedirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
]);
const REGION = /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/;
const MAX_ERROR_BODY = 4096;

/** The code in the body of an error of S3 or Azure. */
function codeOf(text: string): string | undefined {
  return /<Code>\s*([A-Za-z]{1,64})\s*<\/Code>/.exec(text)?.[1];
}

/** The error of a status that is neither 200 nor 206: what the status, the headers and the code in the body say. */
export async function statusError(response: Response, key: string): Promise<CogError> {
  const { status } = response;
  const text = await readText(response, MAX_ERROR_BODY);
  const code = codeOf(text);
  const cause = Object.assign(new Error(`HTTP ${status}${code === undefined ? "" : ` ${code}`}`), { status });
  const message = `${key}: the server answered ${status}${code === undefined ? "" : ` ${code}`}.`;
  const retryAfter = retryAfterSeconds(response.headers.get("retry-after"), Date.now());
  if (status === 404 || status === 410) return new CogError("not-found", message, { cause });
  const isThrottled = (status === 401 || status === 403) && THROTTLED.test(text);
  // S3 answers 400 to slow clients
  const isSlow = status === 400 && code === "RequestTimeout";
  if (status === 429 || status === 408 || status >= 500 || isThrottled || isSlow) {
    return new CogError("unavailable", message, { cause, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }
  const region = code !== undefined && WRONG_REGION.has(code) ? namedRegion(response, text) : undefined;
  if (region !== undefined) {
    return new CogError("wrong-region", `${message} The bucket is in ${region}.`, { cause, region });
  }
  const isExpired = code === "AccessDenied" && /<Message>\s*Request has expired/.test(text);
  if (status === 401 || isExpired || (code !== undefined && UNAUTHORIZED.has(code))) {
    return new CogError("unauthorized", message, { cause });
  }
  return new CogError("forbidden", message, { cause });
}

/**
 * The region that S3 names in its refusal of a request that went to, or was signed for, another one; undefined for
 * every other answer. The answer of a refusal is a copy, whose body can be read again.
 */
export async function withNamedRegion(
  response: Response,
): Promise<{ readonly response: Response; readonly region: string | undefined }> {
  const { status, headers } = response;
  if (status !== 301 && status !== 307 && status !== 400) return { response, region: undefined };
  const text = await readText(response, MAX_ERROR_BODY);
  const code = codeOf(text);
  const region = code !== undefined && WRONG_REGION.has(code) ? namedRegion(response, text) : undefined;
  // a redirect of S3 is no other address: the region is
  const kept = new Headers(headers);
  kept.delete("location");
  return { response: new Response(text, { status, headers: kept }), region };
}

/** The region that an answer of S3 names: in a header, in an element, or in the words of its message. */
function namedRegion({ headers }: Response, text: string): string | undefined {
  const said =
    headers.get("x-amz-bucket-region") ??
    /<Region>([^<]*)<\/Region>/.exec(text)?.[1] ??
    /expecting (?:'|&apos;)([a-z0-9-]+)/.exec(text)?.[1] ??
    /The ([a-z0-9-]+) location constraint is incompatible/.exec(text)?.[1] ??
    /<Endpoint>[^<]*\bs3[.-]([a-z0-9-]+)\.amazonaws\.com/.exec(text)?.[1];
  return said !== undefined && REGION.test(said) ? said : undefined;
}
