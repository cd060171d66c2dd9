import type { BandFile, OffsetRule, ScalingRule } from "../file/band-file.ts";
import type { CollectionFile } from "../file/collection-file.ts";
import type { BandpassTable, NadirTable } from "../file/harmonization-file.ts";
import type { ExtensionRule, PropertyRule, QueryableFile } from "../file/item-rules.ts";
import type { MaskFile } from "../file/mask-file.ts";
import type { StorageFile } from "../file/storage-file.ts";
import type { UpstreamFile } from "../file/upstream-file.ts";
import type { Membership } from "../file/virtual-file.ts";
import type { Recipe } from "../preset/preset.ts";
import type { CollectionId, HarmonizeLevel, MaskClass, MaskSource, PseudoBand, Unit } from "../vocabulary.ts";
import type { AliasSchema } from "./alias.ts";
import type { BandSchema } from "./band.ts";
import { detectableClasses } from "./mask.ts";

/** An organisation behind a collection (STAC provider object). */
export interface Provider {
  readonly name: string;
  readonly roles: readonly ("licensor" | "producer" | "processor" | "host")[];
  readonly url: string;
}

/** The upstream that the items come from, and its names for the same things. */
export type UpstreamSchema = Readonly<UpstreamFile> & {
  /** Name of the upstream. */
  readonly name: string;
};

/** All facts about a collection. Data only: no scene is read. */
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
  readonly doi?: string | undefined;
  /** First acquisition of the archive, RFC 3339; the end is open. */
  readonly start: string;
  /** Whether images without a time show all acquisitions, whatever the window of their preset. */
  readonly defaultTime?: "all" | undefined;
  /** Platforms served; items of others are not shown. Empty: all are. */
  readonly platforms: readonly string[];
  readonly constellation?: string | undefined;
  readonly instruments: readonly string[];
  readonly bands: readonly BandSchema[];
  /** Bands that indices read in place of others, by common names: those that every sensor of the collection has. */
  readonly indexBands: Readonly<Record<string, string>>;
  readonly aliases: readonly AliasSchema[];
  /** Credit line; `{years}` stands for acquisition years. */
  readonly attribution: string;
  readonly units: readonly Unit[];
  readonly defaultUnits: Unit;
  /** Units that a process request may ask for. */
  readonly processUnits: readonly Unit[];
  readonly harmonizeLevels: readonly HarmonizeLevel[];
  readonly defaultHarmonize: HarmonizeLevel;
  readonly harmonize: {
    /** The effect of each level on the values, in words. */
    readonly levels: Readonly<Partial<Record<HarmonizeLevel, string>>>;
    /** Coefficients of `bandpass_adjusted`, a table for each group of platforms. */
    readonly bandpass?: readonly BandpassTable[] | undefined;
    /** Kernel weights and the source of angles of `nbar`. */
    readonly nbar?: NadirTable | undefined;
  };
  readonly pseudoBands: readonly PseudoBand[];
  /** The source of the mask; a virtual collection has those of its members, where these have several. */
  readonly maskSource: MaskSource | readonly MaskSource[];
  /** Native name of the band that `mask` reads; absent without a mask. */
  readonly maskBand?: string;
  /** Classes that the source can detect. One that is missing is undetectable, not absent. */
  readonly maskCapabilities: readonly MaskClass[];
  /** The rule that turns values of the mask band into classes. */
  readonly mask?: MaskFile;
  /** Lowest and highest zoom served from the full archive (WebMercatorQuad). */
  readonly zoom: { readonly min: number; readonly max: number };
  readonly upstream: UpstreamSchema;
  /** Rules that make properties of items from upstream items. */
  readonly properties: readonly PropertyRule[];
  /** Properties that the collection adds to the queryables and sort fields. */
  readonly queryables: readonly QueryableFile[];
  /** STAC extensions of its items, besides the common ones. */
  readonly extensions: readonly ExtensionRule[];
  readonly storage: Readonly<StorageFile>;
  /** The document that holds the factors of spectral and thermal bands, if they are not in the bands. */
  readonly scaling?: ScalingRule | undefined;
  /** Recipe by preset id. */
  readonly recipes: Readonly<Record<string, Recipe>>;
  /** The publications that the constants come from. */
  readonly sources: readonly string[];
  /** Virtual collections that have its items too. */
  readonly memberOf: readonly Membership[];
  /** The members of a virtual collection. A virtual collection has neither upstream nor bands of its own. */
  readonly virtual?: VirtualSchema;
}

/** The members of a virtual collection, and how their items are combined. */
export interface VirtualSchema {
  /** Collections whose items it has, in the order they are listed. */
  readonly members: readonly CollectionSchema[];
  /**
   * Bands that every member has, under their common names. Values are reflectance: there are no stored numbers that
   * would mean the same in every member.
   */
  readonly bands: readonly BandSchema[];
}

/** The collection of a valid file, with defaults for absent members. */
export function toCollection(file: CollectionFile): CollectionSchema {
  const { $schema: _, harmonize, mask, offsetRules, ...facts } = file;
  return {
    ...facts,
    keywords: file.keywords ?? [],
    platforms: file.platforms ?? [],
    instruments: file.instruments ?? [],
    aliases: file.aliases ?? [],
    bands: file.bands.map((band) => toBandSchema(band, offsetRules ?? {})),
    indexBands: file.indexBands ?? {},
    harmonize: { levels: harmonize.levels, bandpass: harmonize.bandpass, nbar: harmonize.nbar },
    harmonizeLevels: Object.keys(harmonize.levels) as HarmonizeLevel[],
    defaultHarmonize: harmonize.default,
    pseudoBands: file.pseudoBands ?? [],
    processUnits: file.processUnits ?? ["REFLECTANCE", "DN"],
    maskSource: mask?.source ?? "none",
    maskCapabilities: mask === undefined ? [] : detectableClasses(mask),
    ...(mask === undefined ? {} : { mask, maskBand: mask.band }),
    upstream: { ...file.upstream, name: file.upstream.name ?? "default" },
    properties: file.properties ?? [],
    queryables: file.queryables ?? [],
    extensions: file.extensions ?? [],
    storage: file.storage ?? { buckets: [], hosts: [] },
    recipes: file.recipes ?? {},
    sources: file.sources ?? [],
    memberOf: file.memberOf ?? [],
  };
}

function toBandSchema(band: BandFile, rules: Readonly<Record<string, OffsetRule>>): BandSchema {
  const { offsetRule: named, ...facts } = band;
  const offsetRule = named === undefined ? undefined : rules[named];
  return {
    ...facts,
    aliases: band.aliases ?? [],
    centerWavelength: band.centerWavelength ?? null,
    fullWidthHalfMax: band.fullWidthHalfMax ?? null,
    crossSensor: band.crossSensor ?? false,
    ...(offsetRule === undefined ? {} : { offsetRule }),
  };
}
