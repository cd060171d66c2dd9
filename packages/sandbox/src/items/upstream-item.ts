import type { SceneStatistics } from "../pixels/render.ts";

/** A link of an item or page. */
export interface UpstreamLink {
  readonly rel: string;
  readonly href: string;
  readonly [member: string]: unknown;
}

/** A file of an item, as the upstream describes it. */
export interface UpstreamAsset {
  readonly href: string;
  readonly [member: string]: unknown;
}

/** Footprint of an item. */
export type UpstreamGeometry =
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly (readonly number[])[])[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly (readonly (readonly number[])[])[])[] };

/** An item as its upstream sends it: STAC 1.0.0, or 1.1.0 of CMR-STAC. */
export interface UpstreamItem {
  readonly type: "Feature";
  readonly stac_version: "1.0.0" | "1.1.0";
  readonly stac_extensions: readonly string[];
  readonly id: string;
  readonly collection: string;
  readonly geometry: UpstreamGeometry;
  readonly bbox: readonly number[];
  readonly properties: Readonly<Record<string, unknown>> & { readonly datetime: string };
  readonly links: readonly UpstreamLink[];
  readonly assets: Readonly<Record<string, UpstreamAsset>>;
}

/** Facts about a scene whose files are written. */
export interface SceneFacts {
  readonly statistics: SceneStatistics;
  readonly files: Readonly<Record<string, { readonly size: number; readonly checksum: string }>>;
}

/** The members of an item that differ between products. */
export interface ItemParts {
  readonly properties: UpstreamItem["properties"];
  readonly assets: UpstreamItem["assets"];
  /** STAC extensions as `name/version`. */
  readonly extensions: readonly string[];
  /** Default 1.0.0. */
  readonly version?: UpstreamItem["stac_version"];
}
