import { namesOfBand } from "../collection/band-names.ts";
import { upstreamCollections } from "../collection/upstream-collections.ts";
import type { CollectionFile } from "../file/collection-file.ts";
import type { MaskFile } from "../file/mask-file.ts";
import type { VirtualCollectionFile } from "../file/virtual-file.ts";
import type { Recipe } from "../preset/preset.ts";
import { suggest } from "../suggest.ts";
import { counted, type FileFault, faultOf } from "./faults.ts";

type Add = (path: readonly (string | number)[], expected: string, suggestion?: string) => void;

/**
 * Checks the rules that the model cannot state: names that have to lead somewhere within the file, and ranges that fit
 * each other.
 */
export function consistencyFaults(file: CollectionFile): FileFault[] {
  const faults: FileFault[] = [];
  const add: Add = (path, expected, suggestion) => faults.push(faultOf(file, path, expected, suggestion));
  checkBands(file, add);
  if (file.mask !== undefined) checkMask(file, file.mask, add);
  checkPseudoBands(file, add);
  for (const [i, unit] of (file.processUnits ?? []).entries()) {
    if (!file.units.includes(unit)) add(["processUnits", i], `one of ${file.units.join(", ")}`);
  }
  if (file.processUnits !== undefined && !file.processUnits.includes(file.defaultUnits)) {
    add(["defaultUnits"], `one of ${file.processUnits.join(", ")}`);
  }
  if (!file.units.includes(file.defaultUnits)) add(["defaultUnits"], `one of ${file.units.join(", ")}`);
  const levels = Object.keys(file.harmonize.levels);
  if (!levels.includes(file.harmonize.default)) add(["harmonize", "default"], `one of ${levels.join(", ")}`);
  checkBandpass(file, add);
  checkNadir(file, add);
  if (file.zoom.min > file.zoom.max) add(["zoom", "min"], `at most ${file.zoom.max}`);
  const commonNames = file.bands.flatMap(({ commonName }) => commonName ?? []);
  for (const [name, instead] of Object.entries(file.indexBands ?? {})) {
    if (!commonNames.includes(instead)) {
      add(["indexBands", name], "a common name of a band", suggest(instead, commonNames)[0]);
    }
  }
  checkRecipes(file, add);
  checkUsual(file, add);
  checkQueryables(file, add);
  checkUpstream(file, add);
  checkStorage(file, add);
  for (const [i, { required = [], fields }] of (file.extensions ?? []).entries()) {
    for (const [at, name] of required.entries()) {
      if (!Object.hasOwn(fields, name)) add(["extensions", i, "required", at], "a member of fields");
    }
  }
  return faults;
}

/** Fewest characters before the star of a bucket's name: it stands for the buckets of one owner. */
const SHORTEST_PREFIX = 4;

function checkStorage({ storage }: CollectionFile, add: Add): void {
  for (const [i, { name, requesterPays, signed, endpoint, keys }] of (storage?.buckets ?? []).entries()) {
    if (endpoint !== undefined && (signed ?? requesterPays) && keys === undefined) {
      add(["storage", "buckets", i, "keys"], "a name of keys, since those of AWS are sent to no other service");
    }
    if (requesterPays && signed === false) add(["storage", "buckets", i, "signed"], "true where the reader pays");
    if (name.endsWith("*") && name.length <= SHORTEST_PREFIX) {
      add(["storage", "buckets", i, "name"], `at least ${SHORTEST_PREFIX} characters before the star`);
    }
  }
  for (const [i, { host, token, tokenService }] of (storage?.servers ?? []).entries()) {
    if (token !== undefined && host.startsWith("*.")) {
      add(["storage", "servers", i, "host"], "the name of one host, since a token is sent to it");
    }
    if (token !== undefined && tokenService !== undefined) {
      add(["storage", "servers", i, "tokenService"], "either token or tokenService");
    }
  }
}

/**
 * Checks a virtual collection as `consistencyFaults` does others. The facts that its members share are known only where
 * all members are.
 */
export function virtualConsistencyFaults(file: VirtualCollectionFile): FileFault[] {
  const faults: FileFault[] = [];
  const add: Add = (path, expected) => faults.push(faultOf(file, path, expected));
  const levels = Object.keys(file.harmonize.levels);
  if (!levels.includes(file.harmonize.default)) add(["harmonize", "default"], `one of ${levels.join(", ")}`);
  if (file.zoom.min > file.zoom.max) add(["zoom", "min"], `at most ${file.zoom.max}`);
  for (const [preset, { minzoom = 0, maxzoom = 24 }] of Object.entries(file.recipes ?? {})) {
    if (minzoom > maxzoom) add(["recipes", preset, "minzoom"], `at most ${maxzoom}`);
  }
  return faults;
}

function checkUpstream({ upstream, queryables = [] }: CollectionFile, add: Add): void {
  const collections = upstreamCollections(upstream);
  for (const name of Object.keys(upstream.otherNames ?? {})) {
    if (!collections.includes(name)) add(["upstream", "otherNames", name], "a collection of the upstream");
  }
  const names = queryables.map((each) => each.name);
  for (const [i, { collection, tile, times = [] }] of (upstream.fallbacks ?? []).entries()) {
    const at = ["upstream", "fallbacks", i] as const;
    if (collections.includes(collection)) add([...at, "collection"], "another collection than the first ones");
    for (const [k, name] of tile.entries()) {
      if (!names.includes(name)) add([...at, "tile", k], "the name of a queryable", suggest(name, names)[0]);
    }
    for (const [k, [start, end]] of times.entries()) {
      if (Date.parse(start) >= Date.parse(end)) add([...at, "times", k], "an interval that ends after it starts");
    }
  }
}

function checkBands(file: CollectionFile, add: Add): void {
  const seen = new Set<string>();
  const rules = Object.keys(file.offsetRules ?? {});
  const shown = Object.values(file.upstream.assets);
  const shownSomewhere = [...shown, ...Object.values(file.upstream.assetsByCollection ?? {}).flatMap(Object.values)];
  for (const [i, band] of file.bands.entries()) {
    for (const name of namesOfBand({ ...band, aliases: band.aliases ?? [] })) {
      if (seen.has(name)) add(["bands", i], `names that no other band has ("${name}" is given twice)`);
      seen.add(name);
    }
    for (const pseudo of file.pseudoBands ?? []) {
      if (band.name === pseudo) add(["bands", i, "name"], "another name than that of a pseudo band");
    }
    if (band.offsetRule !== undefined && !rules.includes(band.offsetRule)) {
      add(["bands", i, "offsetRule"], "a member of offsetRules", suggest(band.offsetRule, rules)[0]);
    }
    if (!shownSomewhere.includes(band.asset ?? band.name)) {
      add(["bands", i, band.asset === undefined ? "name" : "asset"], "a value of upstream.assets");
    }
  }
  for (const [key, name] of Object.entries(file.upstream.assets)) {
    if (shown.indexOf(name) !== shown.lastIndexOf(name)) {
      add(["upstream", "assets", key], "a name that no other asset is shown under");
    }
  }
}

/** Checks that the bands from which pseudo bands are derived exist. */
function checkPseudoBands(file: CollectionFile, add: Add): void {
  for (const [i, name] of (file.pseudoBands ?? []).entries()) {
    const sources = file.bands.filter(({ pseudoBand }) => pseudoBand === name);
    if (name !== "cloud_probability") {
      if (file.mask === undefined && name !== "dataMask")
        add(["pseudoBands", i], "a name that needs no mask: the collection has none");
    } else if (sources.length !== 1) {
      add(["pseudoBands", i], `one band with "pseudoBand": "${name}" (${sources.length} have it)`);
    }
  }
}

function checkMask(file: CollectionFile, mask: MaskFile, add: Add): void {
  const names = file.bands.map(({ name }) => name);
  if (!names.includes(mask.band)) add(["mask", "band"], "the name of a band", suggest(mask.band, names)[0]);
  if (mask.source === "none") add(["mask", "source"], 'another name than "none", which stands for no mask');
  if (mask.kind === "class-table") return;
  for (const [i, { bits }] of (mask.confidences ?? []).entries()) {
    if (bits[1] !== bits[0] + 1) add(["mask", "confidences", i, "bits"], "two neighbouring bits, the lower one first");
  }
}

function checkBandpass({ harmonize, bands, platforms = [] }: CollectionFile, add: Add): void {
  const { levels, bandpass = [] } = harmonize;
  const at = ["harmonize", "bandpass"] as const;
  const isOffered = levels.bandpass_adjusted !== undefined;
  if (isOffered && bandpass.length === 0) add(at, "the coefficients of bandpass_adjusted");
  if (!isOffered && bandpass.length > 0) add(["harmonize", "levels"], "the level that bandpass has coefficients for");
  const spectral = bands.filter(({ kind }) => kind === "spectral").map(({ name }) => name);
  const adjusted = Object.keys(bandpass[0]?.bands ?? {});
  const seen = new Set<string>();
  for (const [i, table] of bandpass.entries()) {
    for (const name of Object.keys(table.bands)) {
      if (!spectral.includes(name)) {
        add([...at, i, "bands", name], "the name of a spectral band", suggest(name, spectral)[0]);
      }
    }
    const missing = adjusted.find((name) => !Object.hasOwn(table.bands, name));
    const added = Object.keys(table.bands).find((name) => !adjusted.includes(name));
    if (missing !== undefined || added !== undefined) {
      add([...at, i, "bands"], `the bands of the first table (${adjusted.join(", ")})`);
    }
    for (const [k, platform] of (table.platforms ?? []).entries()) {
      if (seen.has(platform)) add([...at, i, "platforms", k], "a platform that no other table has");
      if (platforms.length > 0 && !platforms.includes(platform)) {
        add([...at, i, "platforms", k], "a platform of the collection", suggest(platform, platforms)[0]);
      }
      seen.add(platform);
    }
  }
  const isForAll = bandpass.some((table) => table.platforms === undefined);
  if (isForAll && bandpass.length > 1) add(at, "platforms in each table, where there are several");
  const without = platforms.filter((platform) => !seen.has(platform));
  if (bandpass.length > 0 && !isForAll && without.length > 0)
    add(at, `a table for each platform (${without.join(", ")} has none)`);
}

function checkNadir({ harmonize, bands: all, upstream }: CollectionFile, add: Add): void {
  const { levels, bandpass = [], nbar } = harmonize;
  const at = ["harmonize", "nbar"] as const;
  if (nbar === undefined) {
    if (levels.nbar !== undefined) add(at, "the kernel weights of nbar");
    return;
  }
  if (levels.nbar === undefined) add(["harmonize", "levels"], "the level that nbar has weights for");
  if (bandpass.length === 0) add(["harmonize", "bandpass"], "the coefficients that nbar begins with");
  const { angles, bands } = nbar;
  if ((bands === undefined) !== (angles.kind === "normalized")) {
    add([...at, "bands"], angles.kind === "normalized" ? "no weights: nothing is multiplied" : "weights of bands");
  }
  const adjusted = Object.keys(bandpass[0]?.bands ?? {});
  const weighted = Object.keys(bands ?? {});
  for (const name of weighted) {
    if (!adjusted.includes(name)) add([...at, "bands", name], "a band of bandpass", suggest(name, adjusted)[0]);
  }
  if (angles.kind !== "granule-metadata") return;
  if (!Object.values(upstream.assets).includes(angles.asset)) {
    add(
      [...at, "angles", "asset"],
      "a value of upstream.assets",
      suggest(angles.asset, Object.values(upstream.assets))[0],
    );
  }
  for (const name of weighted) {
    if (!Object.hasOwn(angles.bandIds, name)) add([...at, "angles", "bandIds"], `the number of ${name}`);
  }
  const names = all.map(({ name }) => name);
  for (const name of Object.keys(angles.bandIds)) {
    if (!names.includes(name)) add([...at, "angles", "bandIds", name], "the name of a band", suggest(name, names)[0]);
  }
}

/** Values of usual surfaces are the same surfaces in all bands. */
function checkUsual({ bands }: CollectionFile, add: Add): void {
  const count = bands.find(({ usual }) => usual !== undefined)?.usual?.length ?? 0;
  for (const [i, { usual }] of bands.entries()) {
    if (usual !== undefined && usual.length !== count) {
      add(["bands", i, "usual"], `${counted(count, "value")}, as in other bands`);
    }
  }
}

function checkRecipes(file: CollectionFile, add: Add): void {
  const assets = [...Object.keys(file.upstream.assets), ...file.bands.map(({ name }) => name)];
  for (const [preset, recipe] of Object.entries(file.recipes ?? {})) {
    const { alternatives = [] } = recipe;
    const lists = [recipe.assets, ...alternatives.map((each) => each.assets)];
    for (const [n, keys] of lists.entries()) {
      const path = ["recipes", preset, ...(n === 0 ? [] : ["alternatives", n - 1]), "assets"];
      if (keys.length !== recipe.assets.length) add(path, `${counted(recipe.assets.length, "key")}, as in assets`);
      for (const [i, key] of keys.entries()) {
        if (assets.includes(key)) continue;
        add([...path, i], "a member of upstream.assets, or the name of a band", suggest(key, assets)[0]);
      }
    }
    checkFactors(file, preset, recipe, add);
    checkHillshade(preset, recipe, add);
    const { minzoom = 0, maxzoom = 24 } = recipe;
    if (minzoom > maxzoom) add(["recipes", preset, "minzoom"], `at most ${maxzoom}`);
  }
}

/** Values are multiplied, which stored numbers are where they are not scaled. */
function checkFactors({ bands }: CollectionFile, preset: string, { alternatives = [], units }: Recipe, add: Add): void {
  const areValues = units !== undefined || bands.every(({ scale, offset }) => scale === 1 && offset === 0);
  for (const [n, { assets, factors }] of alternatives.entries()) {
    const path = ["recipes", preset, "alternatives", n, "factors"];
    if (factors === undefined) continue;
    if (factors.length !== assets.length) add(path, `${counted(assets.length, "factor")}, as there are assets`);
    if (!areValues) add(path, "no factors without units of the recipe: bands are stored as scaled numbers");
  }
}

/** A hillshade is a style of its own, of one band. */
function checkHillshade(preset: string, recipe: Recipe, add: Add): void {
  if (recipe.hillshade === undefined) return;
  if (recipe.assets.length !== 1) add(["recipes", preset, "assets"], "the one asset that is shaded");
  for (const name of ["expression", "rescale", "colormap"] as const) {
    if (recipe[name] !== undefined) add(["recipes", preset, name], "no such member beside hillshade");
  }
}

function checkQueryables(file: CollectionFile, add: Add): void {
  const seen = new Set<string>();
  for (const [i, { name }] of (file.queryables ?? []).entries()) {
    if (seen.has(name)) add(["queryables", i, "name"], "a name that no other queryable has");
    seen.add(name);
  }
  for (const [i, { tile }] of (file.memberOf ?? []).entries()) {
    for (const [k, name] of tile.entries()) {
      if (!seen.has(name)) add(["memberOf", i, "tile", k], "a queryable of the collection", suggest(name, seen)[0]);
    }
  }
}
