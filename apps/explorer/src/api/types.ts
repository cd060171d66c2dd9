import type { Bbox } from "../geometry/area.ts";
import type { components } from "./schema.gen.ts";

/** Documents of the service, as its OpenAPI description has them: `Schemas["Timeseries"]`. */
export type Schemas = components["schemas"];

export type Recipe = Partial<Schemas["ShownRecipe"]>;
export type Preset = Omit<Schemas["PresetDocument"], "links" | "svc:recipes"> & {
  readonly "svc:recipes"?: Readonly<Record<string, Recipe>>;
};
export type Band = Schemas["Band"];
export type Link = Schemas["Link"];
export type Job = Schemas["ProcessJob"];
export type Landing = Pick<Schemas["LandingPage"], "links" | "svc:synthetic" | "svc:basemap">;
export type BaseMap = NonNullable<Landing["svc:basemap"]>;

/** All members of a collection: those of the list are optional, since a request may leave them out. */
type Described = Required<Schemas["CollectionPart"]>;

/** The members of a collection that the page reads. */
export interface Collection {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  readonly bands?: readonly Band[];
  readonly extent: Pick<Described["extent"], "spatial" | "temporal">;
  readonly "svc:attribution"?: string;
  /** `scenes`: the lowest zoom at which anything but presets is drawn, where it is not `min`. */
  readonly "svc:zoom"?: { readonly min: number; readonly max: number; readonly scenes?: number };
  readonly "svc:units"?: readonly string[];
  /** Collections that a virtual one is made of. */
  readonly "svc:members"?: readonly string[];
  /** Common names that resolve on every member. */
  readonly "svc:bands_common"?: readonly string[];
}

export interface ItemAsset {
  readonly href?: string;
  readonly title?: string | null;
  readonly type?: string | null;
  readonly roles?: readonly string[] | null;
  readonly "svc:band"?: string;
  readonly "proj:epsg"?: number;
  readonly "proj:transform"?: readonly number[];
  readonly "file:size"?: number;
}

/** An item as the page asks for it: with its geometry, a time and a collection. */
export interface Item {
  readonly id: string;
  readonly collection: string;
  readonly bbox: Bbox;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: {
    readonly datetime: string;
    readonly platform?: string;
    readonly "eo:cloud_cover"?: number;
    readonly "proj:epsg"?: number;
    readonly [name: string]: unknown;
  };
  readonly assets: Readonly<Record<string, ItemAsset>>;
  readonly links?: readonly Link[];
}

export interface ItemPage {
  readonly features: readonly Item[];
  readonly numberMatched?: number;
  /** Upstreams that did not answer. */
  readonly "svc:upstreams_missing"?: readonly string[];
  readonly links: readonly { readonly rel: string; readonly body?: { readonly token?: string } }[];
}
