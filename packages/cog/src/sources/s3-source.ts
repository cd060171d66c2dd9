import { type S3Credentials, s3Url, signS3 } from "@swath/http/s3";
import { CogError } from "../errors.ts";
import { type HttpOptions, httpSource } from "./http-source.ts";
import type { Source, SourceReadOptions } from "./source.ts";

const DEFAULT_REGION = "us-west-2";

/** Endpoint, region and credentials of a bucket. */
export interface S3Options extends Omit<HttpOptions, "authorize" | "headers" | "key"> {
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
  return new S3Source(url, bucket, key, options);
}

class S3Source implements Source {
  readonly key: string;
  readonly #bucket: string;
  readonly #path: string;
  readonly #options: S3Options;
  #region: string;
  #object: Source;

  constructor(url: string, bucket: string, path: string, options: S3Options) {
    this.key = url;
    this.#bucket = bucket;
    this.#path = path;
    this.#options = options;
    this.#region = options.knownRegions?.get(bucket) ?? options.region ?? DEFAULT_REGION;
    this.#object = this.#objectIn(this.#region);
  }

  get size(): number | undefined {
    return this.#object.size;
  }
  get version(): string | undefined {
    return this.#object.version;
  }

  async read(offset: number, length: number, options?: SourceReadOptions): Promise<Uint8Array> {
    const asked = this.#region;
    try {
      return await this.#object.read(offset, length, options);
    } catch (error) {
      const named = error instanceof CogError ? error.region : undefined;
      if (named === undefined || named === asked) throw error;
      // of reads that run at once the first has changed it already
      if (this.#region === asked) this.#move(named);
      return this.#object.read(offset, length, options);
    }
  }

  async close(): Promise<void> {
    await this.#object.close?.();
  }

  #move(region: string): void {
    this.#region = region;
    this.#object = this.#objectIn(region);
    this.#options.knownRegions?.set(this.#bucket, region);
  }

  #objectIn(region: string): Source {
    const { credentials, region: _, knownRegions: _known, endpoint, requesterPays = false, ...http } = this.#options;
    return httpSource(s3Url({ bucket: this.#bucket, region, endpoint }, this.#path), {
      redirects: false,
      ...http,
      key: this.key,
      headers: requesterPays ? { "x-amz-request-payer": "requester" } : {},
      authorize: async (target, headers) => {
        if (credentials === undefined) return headers;
        const keys = typeof credentials === "function" ? await credentials() : credentials;
        return signS3({ method: "GET", url: target, headers }, keys, region);
      },
    });
  }
}
