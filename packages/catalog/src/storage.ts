import type { CollectionRegistry } from "@swath/schema";
import { type Json, jsonOf, textOf } from "./json.ts";

/** Region of buckets of which neither the item nor the collection files say it: that of the public archives. */
const DEFAULT_REGION = "us-west-2";

/** The storage schemes (storage extension 2.0.0) of one item, collected while its assets are read. */
export class StorageSchemes {
  readonly #schemes = new Map<string, Json>();
  readonly #registry: CollectionRegistry;

  constructor(existing: unknown, registry: CollectionRegistry) {
    this.#registry = registry;
    for (const [name, scheme] of Object.entries(jsonOf(existing))) this.#schemes.set(name, jsonOf(scheme));
  }

  /** The `storage:refs` of an `s3://` href: the first bucket is called `aws`, a further one `aws-{bucket}`. */
  refsOf(href: string, facts: Json): string[] | undefined {
    const bucket = /^s3:\/\/([^/]+)\//.exec(href)?.[1];
    if (bucket === undefined) return undefined;
    for (const [name, scheme] of this.#schemes) if (scheme.bucket === bucket) return [name];
    const name = this.#schemes.has("aws") ? `aws-${bucket}` : "aws";
    const pays = facts["storage:requester_pays"];
    const known = this.#registry.bucket(bucket);
    this.#schemes.set(name, {
      ...serviceOf(this.#registry.bucket(bucket)?.endpoint),
      bucket,
      region: textOf(facts["storage:region"]) ?? known?.region ?? DEFAULT_REGION,
      requester_pays: typeof pays === "boolean" ? pays : (known?.requesterPays ?? false),
    });
    return [name];
  }

  toProperties(): Json {
    return this.#schemes.size === 0 ? {} : { "storage:schemes": Object.fromEntries(this.#schemes) };
  }
}

/** Whose service a bucket is of, and its address there: Amazon's, or another one with an endpoint of its own. */
function serviceOf(endpoint: string | undefined): { type: string; platform: string } {
  if (endpoint === undefined) return { type: "aws-s3", platform: "https://{bucket}.s3.{region}.amazonaws.com" };
  return { type: "custom-s3", platform: `${endpoint}/{bucket}` };
}
