import { type Json, jsonOf, textOf } from "./json.ts";

/** Where and how the public buckets of the upstreams are kept; an asset's own `storage:region` comes first. */
const REGIONS: ReadonlyMap<string, string> = new Map([
  ["usgs-landsat", "us-west-2"],
  ["sentinel-s2-l2a", "eu-central-1"],
]);
const REQUESTER_PAYS: ReadonlySet<string> = new Set(["usgs-landsat", "sentinel-s2-l2a"]);

/** The storage schemes (storage extension 2.0.0) of one item, collected while its assets are read. */
export class StorageSchemes {
  readonly #schemes = new Map<string, Json>();

  constructor(existing: unknown) {
    for (const [name, scheme] of Object.entries(jsonOf(existing))) this.#schemes.set(name, jsonOf(scheme));
  }

  /** The `storage:refs` of an `s3://` href: the first bucket is called `aws`, a further one `aws-{bucket}`. */
  refsOf(href: string, facts: Json): string[] | undefined {
    const bucket = /^s3:\/\/([^/]+)\//.exec(href)?.[1];
    if (bucket === undefined) return undefined;
    for (const [name, scheme] of this.#schemes) if (scheme.bucket === bucket) return [name];
    const name = this.#schemes.has("aws") ? `aws-${bucket}` : "aws";
    const pays = facts["storage:requester_pays"];
    this.#schemes.set(name, {
      type: "aws-s3",
      platform: "https://{bucket}.s3.{region}.amazonaws.com",
      bucket,
      region: textOf(facts["storage:region"]) ?? REGIONS.get(bucket) ?? "us-west-2",
      requester_pays: typeof pays === "boolean" ? pays : REQUESTER_PAYS.has(bucket),
    });
    return [name];
  }

  toProperties(): Json {
    return this.#schemes.size === 0 ? {} : { "storage:schemes": Object.fromEntries(this.#schemes) };
  }
}
