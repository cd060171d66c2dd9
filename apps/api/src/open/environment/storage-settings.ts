import type { S3Keys, S3Settings } from "@swath/engine/files";
import { z } from "zod";

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const text = z.string().optional();
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

const resultsUrl = z.string().superRefine((url, context) => {
  if (/^file:\/\/\/./.test(url)) return;
  const bucket = /^s3:\/\/([^/?#]*)(\/[^?#]*)?$/.exec(url)?.[1];
  if (bucket === undefined) context.addIssue("Expected file:///folder or s3://bucket/prefix");
  else if (!BUCKET.test(bucket)) {
    const expected = "3 to 63 lower-case letters, digits, hyphens and dots, a letter or digit first and last";
    context.addIssue(`Expected a bucket's name of ${expected}; got "${bucket}"`);
  }
});

/** `name=ID:SECRET,name=ID:SECRET` as keys by name. What is wrong is said without repeating it. */
const namedKeys = z
  .string()
  .default("")
  .transform((list, context) => {
    const found = new Map<string, S3Keys>();
    for (const [i, entry] of list.split(",").entries()) {
      if (entry.trim() === "") continue;
      const [, name = "", id, secret] = /^([a-z][a-z0-9-]{0,31})=([^:\s]+):(\S+)$/.exec(entry.trim()) ?? [];
      if (id === undefined || secret === undefined) {
        context.addIssue(`Expected name=ID:SECRET in entry ${i + 1}`);
      } else if (found.has(name)) context.addIssue(`Expected each name once, got "${name}" twice`);
      else found.set(name, { accessKeyId: id, secretAccessKey: secret });
    }
    return Object.fromEntries(found);
  });

/** The variables that say where files and results are, and with which keys they are read and written. */
export const STORAGE_VARIABLES = {
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: text,
  AWS_REGION: z.string().default("us-west-2"),
  AWS_ENDPOINT_URL_S3: address.optional(),
  SWATH_S3_KEYS: namedKeys,
  SWATH_RESULTS_URL: resultsUrl.optional(),
  SWATH_RESULTS_ENDPOINT: address.optional(),
  SWATH_RESULTS_REGION: text,
  SWATH_RESULTS_ACCESS_KEY_ID: text,
  SWATH_RESULTS_SECRET_ACCESS_KEY: text,
};
const StorageVariables = z.object(STORAGE_VARIABLES);
type StorageVariables = z.output<typeof StorageVariables>;

/** S3 of the files of archives, and that of results. */
export interface StorageSettings {
  readonly files: S3Settings;
  readonly results: S3Settings;
}

/**
 * Reads the variables of S3. Those of results fall back to those of files, the two of a pair of keys together.
 *
 * @throws {RangeError} for half a pair of keys, and for a bucket of results without keys; the message names the variables.
 */
export function storageSettings(variables: StorageVariables): StorageSettings {
  const { AWS_REGION: region, AWS_ENDPOINT_URL_S3: endpoint, SWATH_S3_KEYS: named } = variables;
  const credentials = awsKeys(variables);
  const files: S3Settings = {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(Object.keys(named).length === 0 ? {} : { namedKeys: named }),
  };
  const own = pairOf(variables, "SWATH_RESULTS_ACCESS_KEY_ID", "SWATH_RESULTS_SECRET_ACCESS_KEY");
  const keys = own ?? credentials;
  if (variables.SWATH_RESULTS_URL?.startsWith("s3:") === true && keys === undefined) {
    throw new RangeError(
      "SWATH_RESULTS_URL names a bucket: it needs SWATH_RESULTS_ACCESS_KEY_ID and SWATH_RESULTS_SECRET_ACCESS_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  const resultsEndpoint = variables.SWATH_RESULTS_ENDPOINT ?? endpoint;
  const results: S3Settings = {
    region: variables.SWATH_RESULTS_REGION ?? region,
    ...(resultsEndpoint === undefined ? {} : { endpoint: resultsEndpoint }),
    ...(keys === undefined ? {} : { credentials: keys }),
  };
  return { files, results };
}

function awsKeys(variables: StorageVariables): S3Keys | undefined {
  const pair = pairOf(variables, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  const { AWS_SESSION_TOKEN: sessionToken } = variables;
  return pair === undefined || sessionToken === undefined ? pair : { ...pair, sessionToken };
}

type KeyVariable = Extract<keyof StorageVariables, `${string}_KEY_ID` | `${string}_ACCESS_KEY`>;

function pairOf(variables: StorageVariables, id: KeyVariable, secret: KeyVariable): S3Keys | undefined {
  const { [id]: accessKeyId, [secret]: secretAccessKey } = variables;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new RangeError(`${id} and ${secret} go together: one of them is missing`);
  }
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
}
