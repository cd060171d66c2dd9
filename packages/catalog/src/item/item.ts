import type { Geometry } from "@swath/query";

/** A file of an item. */
export interface Asset {
  /** Absolute: `https:`, `s3:`, or `archive:` and a path within the archive's directory. */
  readonly href: string;
  readonly type?: string;
  readonly title?: string;
  readonly roles?: readonly string[];
  /** Native name of the band, where the asset holds one band of schema v1. */
  readonly "svc:band"?: string;
  /** Bands in the form of STAC 1.1.0, scale and offset being the item's own. */
  readonly bands?: readonly Readonly<Record<string, unknown>>[];
  readonly [member: string]: unknown;
}

/** An item as the service shows it, except its links, which need the address of the service: STAC 1.1.0. */
export interface Item {
  readonly type: "Feature";
  readonly stac_version: "1.1.0";
  readonly stac_extensions: string[];
  readonly id: string;
  /** Canonical collection id. */
  readonly collection: string;
  readonly geometry: Geometry | null;
  /** West, south, east, north; west > east where the scene crosses the antimeridian. */
  readonly bbox?: readonly [number, number, number, number];
  readonly properties: Readonly<Record<string, unknown>> & { readonly datetime: string | null };
  /** By native band name, or by the upstream's key for what is no band. */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly links: readonly [];
}
