import type { CredentialName } from "./credentials.ts";
import type { BucketFacts } from "./file-storage.ts";
import type { S3Keys, S3Settings } from "./s3-settings.ts";

/** The region, keys and headers of requests for files of a bucket. */
export interface S3Plan {
  readonly region: string;
  /** Absent: Amazon's, in the region. */
  readonly endpoint?: string;
  /** Absent: requests are not signed. */
  readonly keys?: S3Keys;
  /** Whether requests say that the service pays. */
  readonly requesterPays: boolean;
  /** The key that the bucket asks for and the service does not have: nothing can be read. */
  readonly missing?: CredentialName;
  /** Name of `keys`. */
  readonly credential?: CredentialName;
}

/**
 * Plans how a bucket is read. A public bucket of Amazon's is read without a signature, so that it needs no keys. At an
 * endpoint of the environment, a mirror of the archives, requests are signed with the keys of the environment wherever
 * there are any, for the region of the environment. A bucket of which nothing is known is signed where there are keys, and
 * never paid for.
 */
export function planS3(facts: BucketFacts | undefined, settings: S3Settings): S3Plan {
  const mirror = facts?.endpoint === undefined ? settings.endpoint : undefined;
  const endpoint = facts?.endpoint ?? mirror;
  const credential: CredentialName = facts?.keys === undefined ? "aws" : `s3:${facts.keys}`;
  const own = facts?.keys === undefined ? settings.credentials : settings.namedKeys?.[facts.keys];
  // keys of AWS are sent to Amazon and to the mirror that the environment names, and to no endpoint of a file
  const keys = facts?.endpoint !== undefined && facts.keys === undefined ? undefined : own;
  const requesterPays = facts?.requesterPays === true;
  const needsKeys = mirror === undefined && (facts?.signed ?? requesterPays);
  const isSigned = keys !== undefined && (needsKeys || mirror !== undefined || facts === undefined);
  return {
    region: mirror === undefined ? (facts?.region ?? settings.region) : settings.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(isSigned ? { keys, credential } : {}),
    requesterPays: requesterPays && isSigned,
    ...(needsKeys && keys === undefined ? { missing: credential } : {}),
  };
}
