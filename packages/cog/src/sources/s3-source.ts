import { type S3Credentials, s3Url, signS3 } from "@swath/http/s3";
import { type HttpOptions, httpSource } from "./http-source.ts";
import type { Source } from "./source.ts";
import { withNamedRegion } from "./status-error.ts";

const DEFAULT_REGION = "us-west-2";

/** Endpoint, region and keys of a bucket. */
export interface S3Options extends Omit<HttpOptions, "headers" | "key"> {
  /** Keys to sign with, or what gives them. Default: none, requests are anonymous. */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /** Default `us-west-2`, where Earth Search and USGS keep their buckets. */
  readonly region?: string | undefined;
  /** Regions of buckets that S3 has named, by bucket: shared by sources, so that each bucket is looked for once. */
  readonly knownRegions?: Map<string, string> | undefined;
  /** Base of another S3-compatible service; buckets are then the first part of the path. */
  readonly endpoint?: string | undefined;
  /** Says that the caller pays: sends `x-amz-request-payer: requester`, signed. */
  readonly requesterPays?: boolean | undefined;
}

/**
 * An object of an S3 bucket, by range requests signed with AWS Signature Version 4. A bucket that turns out to be in
 * another region, which S3 then names, is asked there once.
 *
 * @param url `s3://bucket/key`
 * @throws {TypeError} unless `url` is one.
 */
export function s3Source(url: string, options: S3Options = {}): Source {
  const match = /^s3:\/\/([^/]+)\/(.+)$/.exec(url);
  if (match === null) throw new TypeError(`Expected an address like s3://bucket/key, got "${url}".`);
  const [, bucket, key] = match as unknown as [string, string, string];
  const { credentials, region = DEFAULT_REGION, endpoint, requesterPays = false, knownRegions, ...http } = options;
  const send = async (asked: string, init: RequestInit | undefined): Promise<Response> => {
    const target = s3Url({ bucket, region: asked, endpoint }, key);
    const plain = new Headers(init?.headers);
    if (requesterPays) plain.set("x-amz-request-payer", "requester");
    const keys = typeof credentials === "function" ? await credentials() : credentials;
    const unsigned = Object.fromEntries(plain as unknown as Iterable<[string, string]>);
    const headers =
      keys === undefined ? unsigned : await signS3({ method: "GET", url: target, headers: unsigned }, keys, asked);
    return (http.fetch ?? globalThis.fetch)(target, { ...init, headers });
  };
  return httpSource(s3Url({ bucket, region, endpoint }, key), {
    redirects: false,
    ...http,
    key: url,
    fetch: async (_, init) => {
      const asked = knownRegions?.get(bucket) ?? region;
      const { response, region: named } = await withNamedRegion(await send(asked, init));
      if (named === undefined || named === asked) return response;
      await response.body?.cancel();
      const answer = await withNamedRegion(await send(named, init));
      if (answer.region === undefined) knownRegions?.set(bucket, named);
      return answer.response;
    },
  });
}
