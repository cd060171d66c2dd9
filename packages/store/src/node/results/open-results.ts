import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { S3Bucket, S3Credentials } from "@swath/http/s3";
import type { ResultStore } from "../../results.ts";
import { type Bucket, openBucket } from "./bucket.ts";
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

/** The folder of a deployment's results on this machine; with a bucket, that in which files wait to be sent. */
export function resultFolder({ dataDir, url }: Pick<ResultSettings, "dataDir" | "url">): string {
  return url?.startsWith("file:") === true ? fileURLToPath(url) : join(dataDir, "results");
}

/**
 * The bucket of a deployment's results, and the prefix of their keys, which is empty or ends in a slash; undefined for a folder.
 *
 * @throws {TypeError} for a bucket without keys.
 */
export function bucketOf({
  url,
  s3,
}: Pick<ResultSettings, "url" | "s3">): { readonly bucket: Bucket; readonly prefix: string } | undefined {
  if (url === undefined || url.startsWith("file:")) return undefined;
  const { hostname, pathname } = new URL(url);
  const { region, endpoint, credentials } = s3;
  if (credentials === undefined) throw new TypeError(`${url} needs credentials.`);
  const prefix = pathname.replace(/^\/+|\/+$/g, "");
  return {
    bucket: openBucket({ bucket: hostname, region, credentials, ...(endpoint === undefined ? {} : { endpoint }) }),
    prefix: prefix === "" ? "" : `${prefix}/`,
  };
}

/**
 * Opens the result store that a deployment has chosen.
 *
 * @throws {TypeError} for a bucket without keys.
 */
export function openResults(settings: ResultSettings): ResultStore {
  const folder = resultFolder(settings);
  const place = bucketOf(settings);
  if (place === undefined) return openResultFolder(folder);
  return openResultBucket({ ...place, stagingDirectory: folder, isPublic: settings.isPublic });
}
