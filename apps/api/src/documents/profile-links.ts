import type { CollectionSchema } from "@swath/schema";
import type { Preset } from "@swath/schema/presets";

export interface DocumentLink {
  readonly rel: string;
  readonly type: string;
  readonly href: string;
  readonly title: string;
  readonly method?: "GET" | "POST";
  /** Layers of a `wmts` link (STAC extension Web Map Links). */
  readonly "wmts:layer"?: readonly string[];
}

/**
 * Links that a profile adds to the documents of every profile.
 *
 * `v1` is the address of the landing page, without a trailing slash.
 */
export interface ProfileLinks {
  landing?(v1: string): readonly DocumentLink[];
  collection?(collection: CollectionSchema, v1: string): readonly DocumentLink[];
  preset?(preset: Preset, v1: string): readonly DocumentLink[];
}
