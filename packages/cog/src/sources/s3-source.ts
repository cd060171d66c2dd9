import { type S3Credentials, s3Url, signS3 } from "@swath/http/s3";
import { type HttpOptions, httpSource } from "./http-source.ts";
import type { Source } from "./source.ts";

/** Endpoint, region and credentials of a bucket. */
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
  return httpSource(s3Url({ bucket, region, endpoint }, key), {
    redirects: false,
    ...http,
    key: url,
    headers: requesterPays ? { "x-amz-request-payer": "requester" } : {},
    authorize: async (target, headers) => {
      if (credentials === undefined) return headers;
      const keys = typeof credentials === "function" ? await credentials() : credentials;
      return signS3({ method: "GET", url: target, headers }, keys, region);
    },
  });
}
