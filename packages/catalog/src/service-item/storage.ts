import { amazonRegion } from "@swath/http/s3";
import type { CollectionRegistry } from "@swath/schema";
import { type Json, jsonOf, listOf, textOf } from "../json.ts";

/** Region of buckets of which neither the item nor the collection files say it: that of the public archives. */
const DEFAULT_REGION = "us-west-2";

/** The storage schemes (storage extension 2.0.0) of one item, collected while its assets are read. */
export class StorageSchemes {
  readonly #schemes = new Map<string, Json>();
  readonly #registry: CollectionRegistry;

  constructor(existing: unknown, registry: CollectionRegistry) {
    this.#registry = registry;
    for (const [name, scheme] of Object.entries(jsonOf(existing)))
      this.#schemes.set(name, this.#asKnown(jsonOf(scheme)));
  }

  /** A scheme with what the collection files know of its bucket: mirrors copy what items say of the original's. */
  #asKnown(scheme: Json): Json {
    const known = scheme.type === "aws-s3" ? this.#registry.bucket(textOf(scheme.bucket) ?? "") : undefined;
    return known === undefined ? scheme : { ...scheme, region: known.region, requester_pays: known.requesterPays };
  }

  /**
   * The `storage:refs` of an asset: its own where the item describes those places, else that of the bucket of its `s3://`
   * href: the first bucket is called `aws`, a further one `aws-{bucket}`. Empty for what is in no described place.
   *
   * @param facts members of the asset and its item that may describe the bucket.
   */
  refsOf(href: string, asset: Json, facts: Json): readonly string[] {
    const own = listOf(asset["storage:refs"]).filter((ref) => typeof ref === "string" && this.#schemes.has(ref));
    const bucket = /^s3:\/\/([^/]+)\//.exec(href)?.[1];
    if (own.length > 0 || bucket === undefined) return own as string[];
    for (const [name, scheme] of this.#schemes) if (scheme.bucket === bucket) return [name];
    const known = this.#registry.bucket(bucket);
    const region = known?.region ?? amazonRegionOf(facts["storage:region"]);
    // stores that are not Amazon's have s3: addresses too
    if (region === undefined && facts["storage:platform"] !== "AWS") return own as string[];
    const name = this.#schemes.has("aws") ? `aws-${bucket}` : "aws";
    const pays = facts["storage:requester_pays"];
    this.#schemes.set(name, {
      ...serviceOf(this.#registry.bucket(bucket)?.endpoint),
      bucket,
      region: region ?? DEFAULT_REGION,
      requester_pays: known?.requesterPays ?? (typeof pays === "boolean" ? pays : false),
    });
    return [name];
  }

  toProperties(): Json {
    return this.#schemes.size === 0 ? {} : { "storage:schemes": Object.fromEntries(this.#schemes) };
  }
}

function amazonRegionOf(said: unknown): string | undefined {
  const region = textOf(said);
  return region && amazonRegion(region);
}

/** Whose service a bucket is of, and its address there: Amazon's, or another one with an endpoint of its own. */
function serviceOf(endpoint: string | undefined): { type: string; platform: string } {
  if (endpoint === undefined) return { type: "aws-s3", platform: "https://{bucket}.s3.{region}.amazonaws.com" };
  return { type: "custom-s3", platform: `${endpoint}/{bucket}` };
}
