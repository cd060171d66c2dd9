import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { S3Bucket, S3Credentials } from "@swath/http/s3";
import type { ResultStore } from "../../results.ts";
import { openBucket } from "./bucket.ts";
import { openResultBucket } from "./result-bucket.ts";
import { openResultFolder } from "./result-folder.ts";

/** Where a deployment keeps finished files. */
export interface ResultSettings {
  readonly dataDir: string;
  /** `file:///folder` or `s3://bucket/prefix`; absent: a folder of the data directory. */
  readonly url?: string;
  /** Whether clients may be sent to the bucket. */
  readonly isPublic: boolean;
  /** Where the bucket is, and the keys that may write to it. */
  readonly s3: Omit<S3Bucket, "bucket"> & { readonly credentials?: S3Credentials | undefined };
}

/**
 * Opens the result store that a deployment has chosen.
 *
 * @throws {TypeError} for a bucket without keys.
 */
export function openResults({ dataDir, url, isPublic, s3 }: ResultSettings): ResultStore {
  const folder = join(dataDir, "results");
  if (url === undefined) return openResultFolder(folder);
  if (url.startsWith("file:")) return openResultFolder(fileURLToPath(url));
  const { hostname, pathname } = new URL(url);
  if (s3.credentials === undefined) throw new TypeError(`${url} needs credentials.`);
  const prefix = pathname.replace(/^\/+|\/+$/g, "");
  return openResultBucket({
    bucket: openBucket({
      bucket: hostname,
      region: s3.region,
      credentials: s3.credentials,
      ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
    }),
    prefix: prefix === "" ? "" : `${prefix}/`,
    stagingDirectory: folder,
    isPublic,
  });
}
