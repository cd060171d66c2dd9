import { toAlias } from "../collection/alias.ts";
import { toBand } from "../collection/band.ts";
import { bandTable } from "../collection/band-names.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import { bandpassSchema, HARMONIZATION_LEVELS, harmonizeRules, nadirSchema } from "../collection/harmonization.ts";
import { masksBySource } from "../collection/mask.ts";
import type { MaskFile } from "../file/mask-file.ts";
import { COLORMAPS } from "../preset/colormaps.ts";
import { indices } from "../preset/indices.ts";
import { DEFAULT_EXCLUDED, MASK_CLASSES, SCHEMA_VERSION } from "../vocabulary.ts";
import type { SchemaCollection, SchemaDocument } from "./document-model.ts";
import { units } from "./units.ts";

/** The schema of collections as plain data. A new object each time, which the caller may change. */
export function schemaDataOf(all: readonly CollectionSchema[]): SchemaDocument {
  const bandpass = bandpassSchema(all);
  const nbar = nadirSchema(all);
  return {
    "svc:schemaVersion": SCHEMA_VERSION,
    collections: Object.fromEntries(all.map((each) => [each.id, describe(each)])),
    bands: Object.fromEntries(all.map((each) => [each.id, each.bands.map(toBand)])),
    common_names: commonNames(all),
    mask: {
      classes: [...MASK_CLASSES],
      default_exclude: [...DEFAULT_EXCLUDED],
      sources: Object.fromEntries(
        [...masksBySource(all.map(({ mask }) => mask))].map(([source, mask]) => [source, describeMask(mask)]),
      ),
    },
    harmonization: {
      levels: structuredClone(HARMONIZATION_LEVELS),
      rules: harmonizeRules(all),
      ...(bandpass === undefined ? {} : { bandpass: { ...bandpass, tables: [...bandpass.tables] } }),
      ...(nbar === undefined ? {} : { nbar: structuredClone(nbar) as SchemaDocument["harmonization"]["nbar"] }),
    },
    units: structuredClone(units),
    colormaps: [...COLORMAPS],
    indices: indices.map((index) => ({
      ...index,
      aliases: [...index.aliases],
      bands: [...index.bands],
      range: [...index.range],
    })),
  };
}

function describe(collection: CollectionSchema): SchemaCollection {
  return {
    title: collection.title,
    aliases: collection.aliases.map(toAlias),
    units: [...collection.units],
    default_units: collection.defaultUnits,
    harmonize_levels: [...collection.harmonizeLevels],
    default_harmonize: collection.defaultHarmonize,
    pseudo_bands: [...collection.pseudoBands],
    index_bands: { ...collection.indexBands },
    mask_source: typeof collection.maskSource === "string" ? collection.maskSource : [...collection.maskSource],
    mask_capabilities: [...collection.maskCapabilities],
    ...(collection.virtual === undefined
      ? { upstream: { collection: collection.upstream.collection, assets: { ...collection.upstream.assets } } }
      : {
          members: collection.virtual.members.map(({ id }) => id),
          bands_common: collection.virtual.bands.map(({ name }) => name),
        }),
    sources: [...collection.sources],
  };
}

function describeMask(mask: MaskFile): SchemaDocument["mask"]["sources"][string] {
  switch (mask.kind) {
    case "class-table":
      return Object.fromEntries(mask.classes.map((name, value) => [String(value), name]));
    case "bit-flags":
      return {
        bits: mask.bits.map((field) => ({ ...field })),
        confidence: (mask.confidences ?? []).map((field) => ({ bits: [...field.bits], class: field.class })),
      };
  }
}

/**
 * Bands by common name: those that carry it, and on a collection without such a band the one that takes the name as an
 * alias. `nir` of an index or preset is read from the narrow near infrared where a sensor has no broad one.
 */
function commonNames(all: readonly CollectionSchema[]): SchemaDocument["common_names"] {
  const carried = all.flatMap(({ bands }) => bands.flatMap(({ commonName }) => commonName ?? []));
  const names = new Set([...carried, ...indices.flatMap(({ bands }) => bands)]);
  const entries = [...names].map((name): [string, Record<string, string>] => {
    const found = all.flatMap((collection): [string, string][] => {
      const band = bandTable(collection).get(name);
      return band === undefined ? [] : [[collection.id, band.name]];
    });
    return [name, Object.fromEntries(found)];
  });
  return Object.fromEntries(entries.filter(([, found]) => Object.keys(found).length > 0));
}
