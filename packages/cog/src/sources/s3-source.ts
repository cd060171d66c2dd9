import { AwsV4Signer } from "aws4fetch";
import { type HttpOptions, httpSource } from "./http-source.ts";
import type { Source } from "./source.ts";

/** Who asks; as the AWS variables of the environment name them. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Where a bucket is and who asks. */
export interface S3Options extends Omit<HttpOptions, "authorize" | "headers" | "key"> {
  /** Keys to sign with, or what gives them. Default: none, requests are anonymous. */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /** Default `us-west-2`, where Earth Search and USGS keep their buckets. */
  readonly region?: string | undefined;
  /** Base of another S3-compatible service; buckets are then the first part of the path. */
  readonly endpoint?: string | undefined;
  /** Says that the caller pays: sends `x-amz-request-payer: requester`, signed. */
  readonly requesterPays?: boolean | undefined;
}

/**
 * An object of an S3 bucket, by range requests signed with AWS Signature Version 4.
 *
 * @param url `s3://bucket/key`
 * @throws {TypeError} unless `url` is one.
 */
export function s3Source(url: string, options: S3Options = {}): Source {
  const match = /^s3:\/\/([^/]+)\/(.+)$/.exec(url);
  if (match === null) throw new TypeError(`Expected an address like s3://bucket/key, got "${url}".`);
  const [, bucket, key] = match as unknown as [string, string, string];
  const { credentials, region = "us-west-2", endpoint, requesterPays = false, ...http } = options;
  const path = key.split("/").map(encodePart).join("/");
  return httpSource(`${baseOf(bucket, region, endpoint)}/${path}`, {
    redirects: false,
    ...http,
    key: url,
    headers: requesterPays ? { "x-amz-request-payer": "requester" } : {},
    authorize: async (target, headers) => {
      if (credentials === undefined) return headers;
      const keys = typeof credentials === "function" ? await credentials() : credentials;
      const signer = new AwsV4Signer({
        method: "GET",
        url: target.href,
        headers: { ...headers },
        accessKeyId: keys.accessKeyId,
        secretAccessKey: keys.secretAccessKey,
        ...(keys.sessionToken === undefined ? {} : { sessionToken: keys.sessionToken }),
        service: "s3",
        region,
        // Range is not among the headers the signer takes by itself
        allHeaders: true,
      });
      const signed = await signer.sign();
      return Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>);
    },
  });
}

function baseOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, "")}/${encodePart(bucket)}`;
  // a dot in a bucket's name does not match the wildcard certificate
  if (bucket.includes(".")) return `https://s3.${region}.amazonaws.com/${bucket}`;
  return `https://${bucket}.s3.${region}.amazonaws.com`;
}

/** Percent-encodes one part of a path as SigV4 wants it (RFC 3986 unreserved characters stay). */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
