import type { Fetch } from "../../packages/http/src/index.ts";
import { parseRange } from "../../packages/web/src/files/byte-range.ts";
import { type Account, verify } from "./s3-signature.ts";

/** A bucket of the stand-in. */
export interface AmazonBucket {
  readonly region: string;
  /** Whether anybody may read. */
  readonly isPublic: boolean;
  readonly requesterPays?: boolean;
  /** Whether the region is one that an account has to opt in to: other regions refuse to name it by a redirect. */
  readonly isOptIn?: boolean;
}

export interface AmazonOptions {
  readonly buckets: Readonly<Record<string, AmazonBucket>>;
  readonly account: Account;
  readonly lookUp: (bucket: string, key: string) => Promise<Uint8Array | undefined>;
  readonly now?: () => number;
}

/** A request as it came, and what became of it: "ok" or the code of the refusal. */
export interface AmazonRecord {
  readonly host: string;
  readonly bucket: string;
  readonly isSigned: boolean;
  readonly saysPayer: boolean;
  readonly verdict: string;
}

const HOST = /^(?:(.+)\.)?s3[.-]([a-z0-9-]+)\.amazonaws\.com$/;

/**
 * Amazon S3 as a stand-in for `fetch`: buckets in their regions behind their own host names, with signature checks. Refused
 * are anonymous readers, readers who do not say that they pay, signatures for another region (400 that names it), requests
 * at another region's endpoint (301 that names it, or 400 for regions that accounts opt in to), and every other host.
 */
export function amazon({ buckets, account, lookUp, now = Date.now }: AmazonOptions): {
  readonly fetch: Fetch;
  readonly records: AmazonRecord[];
} {
  const records: AmazonRecord[] = [];

  const judge = (url: URL, init: RequestInit | undefined, name: string, asked: string): Response | undefined => {
    const bucket = buckets[name];
    if (bucket === undefined) return refusal(404, "NoSuchBucket");
    const headers = Object.fromEntries([...new Headers(init?.headers), ["host", url.host]]);
    const scope = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(headers.authorization ?? "")?.[1];
    if (asked !== bucket.region) {
      if (bucket.isOptIn === true) {
        const words = `The ${bucket.region} location constraint is incompatible for the region specific endpoint this request was sent to.`;
        return refusal(400, "IllegalLocationConstraintException", words);
      }
      return refusal(301, "PermanentRedirect", "Use another endpoint.", { "x-amz-bucket-region": bucket.region });
    }
    if (scope === undefined) return bucket.isPublic ? undefined : refusal(403, "AccessDenied", "Access Denied");
    if (scope !== bucket.region) {
      const words = `The authorization header is malformed; the region '${scope}' is wrong; expecting '${bucket.region}'`;
      return refusal(400, "AuthorizationHeaderMalformed", words);
    }
    const target = `${url.pathname}${url.search}`;
    const verdict = verify({ method: init?.method ?? "GET", target, headers }, account, bucket.region, now());
    if (!verdict.good) return refusal(403, verdict.code, verdict.why);
    const pays = headers["x-amz-request-payer"] === "requester";
    if (bucket.requesterPays === true && !pays) return refusal(403, "AccessDenied", "Access Denied");
    return undefined;
  };

  const answer = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    const [, name, region = ""] = HOST.exec(url.host) ?? [];
    const [first = "", ...rest] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    const bucket = name ?? first;
    const refused = region === "" ? refusal(404, "NoSuchHost") : judge(url, init, bucket, region);
    const sent = new Headers(init?.headers);
    const note = (verdict: string): void =>
      void records.push({
        host: url.host,
        bucket,
        isSigned: sent.has("authorization"),
        saysPayer: sent.has("x-amz-request-payer"),
        verdict,
      });
    if (refused !== undefined) {
      note(refused.headers.get("x-verdict") ?? "");
      return refused;
    }
    const bytes = await lookUp(bucket, name === undefined ? rest.join("/") : [first, ...rest].join("/"));
    note(bytes === undefined ? "NoSuchKey" : "ok");
    if (bytes === undefined) return refusal(404, "NoSuchKey");
    const range = parseRange(sent.get("range") ?? undefined, bytes.byteLength);
    if (range === "unsatisfiable" || range === undefined) return refusal(416, "InvalidRange");
    return new Response(bytes.slice(range.start, range.end + 1), {
      status: 206,
      headers: { "Content-Range": `bytes ${range.start}-${range.end}/${bytes.byteLength}`, ETag: '"a"' },
    });
  };
  return { records, fetch: (input, init) => answer(new URL(input), init) };
}

function refusal(status: number, code: string, message = code, headers: Record<string, string> = {}): Response {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(body, { status, headers: { "Content-Type": "application/xml", "x-verdict": code, ...headers } });
}

/** The buckets of the archives, as their owners keep them. */
export const ARCHIVE_BUCKETS: AmazonOptions["buckets"] = {
  "usgs-landsat": { region: "us-west-2", isPublic: false, requesterPays: true },
  "sentinel-s2-l1c": { region: "eu-central-1", isPublic: false, requesterPays: true },
  "sentinel-s2-l2a": { region: "eu-central-1", isPublic: false, requesterPays: true },
  "sentinel-cogs": { region: "us-west-2", isPublic: true },
  "e84-earth-search-sentinel-data": { region: "us-west-2", isPublic: true },
  "copernicus-dem-30m": { region: "eu-central-1", isPublic: true },
  "deafrica-sentinel-2-l2a-c1": { region: "af-south-1", isPublic: true, isOptIn: true },
  "dea-public-data": { region: "ap-southeast-2", isPublic: true },
};
