/** Keys of an account at an S3 service. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Region, endpoint and keys of S3, for files at `s3://` addresses or for results. */
export interface S3Settings {
  /** Region of buckets of which nothing else is known, and of the endpoint. */
  readonly region: string;
  /** Service that is asked in place of Amazon's, for buckets without an endpoint of their own. */
  readonly endpoint?: string;
  /** Absent: only what is public can be read, and requests for the rest say so. */
  readonly credentials?: S3Keys;
  /** Further keys, by the name that collection files give them. */
  readonly namedKeys?: Readonly<Record<string, S3Keys>>;
}
