/** Where S3 is, and who asks: for assets at `s3://` addresses and for results. */
export interface S3Settings {
  readonly region: string;
  readonly endpoint?: string;
  /** Absent: `s3://` assets cannot be read, and requests for them say so. */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}
