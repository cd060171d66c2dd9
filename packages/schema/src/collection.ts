import type { AliasSchema } from "./alias.ts";
import type { BandSchema } from "./band.ts";
import type { CollectionId, HarmonizeLevel, MaskClass, MaskSource, PseudoBand, Unit } from "./vocabulary.ts";

/** An organisation behind a collection (STAC provider object). */
export interface Provider {
  readonly name: string;
  readonly roles: readonly ("licensor" | "producer" | "processor" | "host")[];
  readonly url: string;
}

/** How the upstream catalog names the same things. */
export interface UpstreamSchema {
  /** Collection id at the upstream. */
  readonly collection: string;
  /** Upstream asset key to the key shown here: native band names, or the upstream's own key for other assets. */
  readonly assets: Readonly<Record<string, string>>;
}

/** Everything the service knows about a collection. Data only: no scene is looked at. */
export interface CollectionSchema {
  readonly id: CollectionId;
  readonly title: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** SPDX id, or `other` with a license link. */
  readonly license: string;
  readonly licenseLink: { readonly href: string; readonly title: string; readonly type: string };
  readonly providers: readonly Provider[];
  /** Digital object identifier of the product. */
  readonly doi: string;
  /** First acquisition of the archive, RFC 3339; the end is open. */
  readonly start: string;
  /** Platforms served; items of others are not shown. */
  readonly platforms: readonly string[];
  readonly constellation: string;
  readonly instruments: readonly string[];
  readonly bands: readonly BandSchema[];
  readonly aliases: readonly AliasSchema[];
  /** Credit line; `{years}` stands for acquisition years. */
  readonly attribution: string;
  readonly units: readonly Unit[];
  readonly defaultUnits: Unit;
  readonly harmonizeLevels: readonly HarmonizeLevel[];
  readonly defaultHarmonize: HarmonizeLevel;
  readonly pseudoBands: readonly PseudoBand[];
  readonly maskSource: MaskSource;
  /** Native name of the band that `maskSource` reads. */
  readonly maskBand: string;
  /** Classes that the source can detect. One that is missing is undetectable, not absent. */
  readonly maskCapabilities: readonly MaskClass[];
  /** Lowest and highest zoom served from the full archive (WebMercatorQuad). */
  readonly zoom: { readonly min: number; readonly max: number };
  readonly upstream: UpstreamSchema;
  /** Where the published constants come from. */
  readonly sources: readonly string[];
}
