import { type Account, verify } from "../../tools/s3-signature.ts";
import type { Shelf } from "../files/shelf.ts";
import { fileAnswer, type Host, type ReplayAnswer, type ReplayRequest, xmlError } from "../messages.ts";

/** The conditions that a bucket sets for its readers. */
export interface BucketRules {
  readonly region: string;
  /** `anyone`: also without a signature; `requester`: signed, and saying that the reader pays. */
  readonly readers: "anyone" | "requester";
}

/** The archives' buckets as their documentation has them. */
export const BUCKETS: Readonly<Record<string, BucketRules>> = {
  "sentinel-cogs": { region: "us-west-2", readers: "anyone" },
  "e84-earth-search-sentinel-data": { region: "us-west-2", readers: "anyone" },
  "sentinel-s2-l1c": { region: "eu-central-1", readers: "requester" },
  "sentinel-s2-l2a": { region: "eu-central-1", readers: "requester" },
  "sentinel-s1-l1c": { region: "eu-central-1", readers: "requester" },
  "usgs-landsat": { region: "us-west-2", readers: "requester" },
  "copernicus-dem-30m": { region: "eu-central-1", readers: "anyone" },
  "copernicus-dem-90m": { region: "eu-central-1", readers: "anyone" },
  "deafrica-sentinel-2-l2a-c1": { region: "af-south-1", readers: "anyone" },
  "deafrica-sentinel-2-l2a-c1-dev": { region: "af-south-1", readers: "anyone" },
  "deafrica-sentinel-2": { region: "af-south-1", readers: "anyone" },
  "dea-public-data": { region: "ap-southeast-2", readers: "anyone" },
  "lp-prod-public": { region: "us-west-2", readers: "anyone" },
};

/** Regions that an account has to switch on: requests to another region's address are refused, not redirected. */
const OPT_IN = new Set(["af-south-1"]);

const VIRTUAL = /^([a-z0-9.-]+?)\.s3(?:[.-]([a-z0-9-]+))?\.amazonaws\.com$/;
const BY_PATH = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com$/;

/** Bucket, key and region of an address of Amazon S3, both ways of writing it; `undefined` for other hosts. */
export function s3Address({ hostname, pathname }: URL): { bucket: string; key: string; region: string } | undefined {
  const key = decodeURIComponent(pathname.slice(1));
  const virtual = VIRTUAL.exec(hostname);
  if (virtual !== null) return { bucket: virtual[1] as string, key, region: virtual[2] ?? "us-east-1" };
  const path = BY_PATH.exec(hostname);
  if (path === null) return undefined;
  const [bucket = "", ...rest] = key.split("/");
  return { bucket, key: rest.join("/"), region: path[1] as string };
}

/** Amazon S3: many buckets in many regions, each of which judges signatures and who pays. */
export function amazonS3(shelf: Shelf, account: Account, now: () => number): Host {
  return async (request) => {
    const address = s3Address(request.url);
    const rules = address && BUCKETS[address.bucket];
    if (address === undefined || rules === undefined) {
      return xmlError(404, "NoSuchBucket", "The specified bucket does not exist");
    }
    const refusal = elsewhere(rules, address.region) ?? refusalOf(request, rules, account, now());
    if (refusal !== undefined) return refusal;
    const file = shelf.find(`s3://${address.bucket}/${address.key}`);
    const bytes = file && (await shelf.read(file));
    if (bytes === undefined) return xmlError(404, "NoSuchKey", "The specified key does not exist.");
    return fileAnswer(request, bytes, { "content-type": "binary/octet-stream", server: "AmazonS3" });
  };
}

/** A bucket is asked at the address of its own region alone, or at the one without a region. */
function elsewhere({ region }: BucketRules, asked: string): ReplayAnswer | undefined {
  if (asked === region || (asked === "us-east-1" && !OPT_IN.has(region))) return undefined;
  if (OPT_IN.has(region)) {
    const message = `The ${region} location constraint is incompatible for the region specific endpoint this request was sent to.`;
    return xmlError(400, "IllegalLocationConstraintException", message);
  }
  const message = "The bucket you are attempting to access must be addressed using the specified endpoint.";
  const { status, headers, body } = xmlError(301, "PermanentRedirect", message);
  return { status, headers: { ...headers, "x-amz-bucket-region": region }, ...(body === undefined ? {} : { body }) };
}

function refusalOf(
  request: ReplayRequest,
  { region, readers }: BucketRules,
  account: Account,
  now: number,
): ReplayAnswer | undefined {
  const { headers, method, target, url } = request;
  const isSigned = headers.authorization !== undefined || url.searchParams.has("X-Amz-Signature");
  if (!isSigned) return readers === "anyone" ? undefined : xmlError(403, "AccessDenied", "Access Denied");
  const verdict = verify({ method, target, headers }, account, region, now);
  if (!verdict.good) {
    const isMalformed = verdict.code === "AuthorizationHeaderMalformed";
    const message = isMalformed
      ? `The authorization header is malformed; expecting the region '${region}'`
      : verdict.code;
    return xmlError(isMalformed || verdict.code.startsWith("Invalid") ? 400 : 403, verdict.code, message);
  }
  if (readers === "requester" && headers["x-amz-request-payer"] !== "requester") {
    return xmlError(403, "AccessDenied", "Access Denied");
  }
  return undefined;
}
