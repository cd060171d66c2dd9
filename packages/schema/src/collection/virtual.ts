import type { VirtualCollectionFile } from "../file/virtual-file.ts";
import { type HarmonizeLevel, MASK_CLASSES } from "../vocabulary.ts";
import type { BandSchema } from "./band.ts";
import type { CollectionSchema } from "./collection.ts";
import { isAdjustable } from "./harmonization.ts";

/** The virtual collection of a file; `undefined` where none of these collections is a member. */
export function toVirtualCollection(
  file: VirtualCollectionFile,
  collections: readonly CollectionSchema[],
): CollectionSchema | undefined {
  const { harmonize, recipes = {} } = file;
  const members = collections.filter(
    ({ memberOf, harmonizeLevels }) =>
      memberOf.some(({ collection }) => collection === file.id) && harmonizeLevels.includes(harmonize.default),
  );
  const [first] = members;
  if (first === undefined) return undefined;
  const bands = commonBands(members, file.bandAliases ?? {});
  const names = bands.map(({ name }) => name);
  const levels = Object.entries(harmonize.levels).filter(([level]) =>
    members.every(({ harmonizeLevels }) => harmonizeLevels.includes(level as HarmonizeLevel)),
  );
  return {
    id: file.id,
    title: file.title,
    description: file.description,
    keywords: file.keywords ?? [],
    license: file.license,
    licenseLink: file.licenseLink,
    providers: unique(members.flatMap(({ providers }) => providers)),
    attribution: unique(members.map(({ attribution }) => attribution)).join("; "),
    start: members.map(({ start }) => start).sort()[0] ?? first.start,
    platforms: unique(members.flatMap(({ platforms }) => platforms)),
    instruments: unique(members.flatMap(({ instruments }) => instruments)),
    bands: [],
    indexBands: {},
    aliases: [],
    units: ["REFLECTANCE"],
    defaultUnits: "REFLECTANCE",
    processUnits: ["REFLECTANCE"],
    harmonize: { levels: Object.fromEntries(levels) },
    harmonizeLevels: levels.map(([level]) => level as HarmonizeLevel),
    defaultHarmonize: harmonize.default,
    pseudoBands: [],
    maskSource: maskSourceOf(members),
    maskCapabilities: MASK_CLASSES.filter((name) => members.some((each) => each.maskCapabilities.includes(name))),
    zoom: file.zoom,
    // it has no upstream of its own
    upstream: { name: "virtual", collection: file.id, assets: {} },
    properties: [],
    queryables: [],
    extensions: [],
    storage: { buckets: [], hosts: [] },
    recipes: Object.fromEntries(
      Object.entries(recipes).filter(([, { assets }]) => assets.every((name) => names.includes(name))),
    ),
    sources: file.sources ?? [],
    memberOf: [],
    virtual: { members, bands },
  };
}

/** The sources that the members have, in their order; `none` where no member has one. */
function maskSourceOf(members: readonly CollectionSchema[]): CollectionSchema["maskSource"] {
  const sources = unique(members.flatMap(({ maskSource }) => maskSource)).filter((source) => source !== "none");
  return sources.length > 1 ? sources : (sources[0] ?? "none");
}

/** Bands whose common name means the same on every member, and whose values can be brought to the reference sensor. */
function commonBands(
  members: readonly CollectionSchema[],
  aliases: Readonly<Record<string, string>>,
): readonly BandSchema[] {
  const [first, ...others] = members;
  return (first?.bands ?? []).flatMap((band): BandSchema[] => {
    const { commonName: name } = band;
    if (name === undefined || first === undefined || !isShared(first, band)) return [];
    const counterparts = others.map((member) => bandOfCommonName(member, name));
    if (counterparts.includes(undefined)) return [];
    const all = [band, ...(counterparts as BandSchema[])];
    return [
      {
        name,
        kind: "spectral",
        commonName: name,
        description: band.description,
        aliases: Object.keys(aliases).filter((alias) => aliases[alias] === name),
        centerWavelength: null,
        fullWidthHalfMax: null,
        gsd: Math.min(...all.map(({ gsd }) => gsd)),
        dataType: "float32",
        scale: 1,
        offset: 0,
        nodata: Number.NaN,
        unit: "REFLECTANCE",
        crossSensor: true,
        ...(band.usual === undefined ? {} : { usual: band.usual }),
      },
    ];
  });
}

function isShared(collection: CollectionSchema, band: BandSchema): boolean {
  return band.crossSensor && band.kind === "spectral" && isAdjustable(collection, band);
}

/** The band of a member that a common band of its virtual collection stands for. */
export function bandOfCommonName(member: CollectionSchema, commonName: string): BandSchema | undefined {
  return member.bands.find((band) => band.commonName === commonName && isShared(member, band));
}

/**
 * The collection whose files an item has: the item's own, or the member of a virtual collection that it comes from.
 * `undefined` where the collection is virtual and the item names none of its members.
 */
export function sourceCollection(
  collection: CollectionSchema,
  properties: Readonly<Record<string, unknown>>,
): CollectionSchema | undefined {
  if (collection.virtual === undefined) return collection;
  return collection.virtual.members.find(({ id }) => id === properties["svc:source_collection"]);
}

/** Each value once: the first of those with the same JSON. */
function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
