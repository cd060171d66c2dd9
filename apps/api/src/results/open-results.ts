import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { S3Settings } from "@swath/engine";
import { openBucket } from "./bucket.ts";
import { openBucketStore } from "./bucket-store.ts";
import { openDirectoryStore, type ResultStore } from "./store.ts";

export interface ResultSettings {
  readonly dataDir: string;
  /** `file:///folder` or `s3://bucket/prefix`; absent: a folder of the data directory. */
  readonly url?: string;
  /** Whether clients may be sent to the bucket. */
  readonly isPublic: boolean;
  /** Region, endpoint and keys of the bucket. */
  readonly s3: S3Settings;
}

/** Opens the result store that a deployment has chosen. */
export function openResults({ dataDir, url, isPublic, s3 }: ResultSettings): ResultStore {
  const folder = join(dataDir, "results");
  if (url === undefined) return openDirectoryStore(folder);
  if (url.startsWith("file:")) return openDirectoryStore(fileURLToPath(url));
  const { hostname, pathname } = new URL(url);
  if (s3.credentials === undefined) throw new TypeError(`${url} needs credentials.`);
  const prefix = pathname.replace(/^\/+|\/+$/g, "");
  return openBucketStore({
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
