import { AwsV4Signer } from "aws4fetch";

/** Keys, as the AWS variables of the environment name them. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The place of a bucket. */
export interface S3Bucket {
  readonly bucket: string;
  readonly region: string;
  /** Base of another S3-compatible service; buckets are then the first part of the path. */
  readonly endpoint?: string | undefined;
}

/** The request that is signed. */
export interface S3Request {
  readonly method: string;
  readonly url: string | URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Percent-encodes one part of a path or query as Signature Version 4 wants it (RFC 3986 unreserved characters stay). */
export function encodeS3(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The address of an object, or of the bucket itself where `key` is empty. */
export function s3Url(
  { bucket, region, endpoint }: S3Bucket,
  key: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const search = Object.entries(query).map(([name, value]) => `${encodeS3(name)}=${encodeS3(value)}`);
  const path = key.split("/").map(encodeS3).join("/");
  return `${baseOf(bucket, region, endpoint)}/${path}${search.length === 0 ? "" : `?${search.join("&")}`}`;
}

/** The region of Amazon's that a name stands for: none and `default` are us-east-1, as the tools of AWS take them. */
export function amazonRegion(name: string): string {
  return name === "" || name === "default" ? "us-east-1" : name;
}

function baseOf(bucket: string, named: string, endpoint: string | undefined): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${encodeS3(bucket)}`;
  const region = amazonRegion(named);
  // a dot in a bucket's name does not match the wildcard certificate
  if (bucket.includes(".")) return `https://s3.${region}.amazonaws.com/${bucket}`;
  return `https://${bucket}.s3.${region}.amazonaws.com`;
}

/** Headers of a request signed with AWS Signature Version 4, all of `headers` among those that are signed. */
export async function signS3(
  request: S3Request,
  credentials: S3Credentials,
  region: string,
): Promise<Record<string, string>> {
  const { headers } = await signer(request, credentials, region, false).sign();
  return Object.fromEntries(headers as unknown as Iterable<[string, string]>);
}

/** Returns an address that does what `url` does without keys; `X-Amz-Expires` in its query gives the seconds. */
export async function presignS3(url: string, credentials: S3Credentials, region: string): Promise<string> {
  const signed = await signer({ method: "GET", url, headers: {} }, credentials, region, true).sign();
  return signed.url.href;
}

function signer(
  { method, url, headers }: S3Request,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  region: string,
  signQuery: boolean,
): AwsV4Signer {
  return new AwsV4Signer({
    method,
    url: String(url),
    headers: { ...headers },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: "s3",
    // other services have regions of these names
    region: new URL(url).hostname.endsWith(".amazonaws.com") ? amazonRegion(region) : region,
    signQuery,
    // Range and the x-amz headers are not among those the signer takes by itself
    allHeaders: true,
  });
}
