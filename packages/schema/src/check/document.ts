import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { CollectionSchema } from "../collection/collection.ts";
import { defaultRegistry } from "../registry/default-registry.ts";
import { findBand } from "../registry/resolve.ts";
import { checkAssets, checkBandObject, propertiesOf } from "./assets.ts";
import { type Finding, Report } from "./finding.ts";
import { checkName } from "./names.ts";
import { elementsOf, membersOf, stringOf, stringsOf } from "./tree.ts";
import { checkBand, checkCollection, checkListed, checkPhysical, type LISTS } from "./words.ts";

/**
 * Checks a JSON text: a STAC item, collection or list of them, a process, search or statistics request, a preset, or an
 * array of names. `collection` stands in where the document names none.
 */
export function checkDocument(text: string, collection?: CollectionSchema): Finding[] {
  try {
    return checkJson(text, collection);
  } catch (error) {
    // the parser and the walk are recursive: brackets by the ten thousand exhaust the stack
    if (!(error instanceof RangeError)) throw error;
    const report = new Report(text);
    report.add({ offset: 0, length: 0 }, "invalid-json", "error", "The document is nested too deeply to be checked.");
    return report.findings();
  }
}

function checkJson(text: string, collection: CollectionSchema | undefined): Finding[] {
  const report = new Report(text);
  const faults: ParseError[] = [];
  const root = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
  for (const fault of faults) {
    report.add(fault, "invalid-json", "error", `Not JSON: ${sayParseError(fault)}.`);
  }
  if (faults.length > 0 || root === undefined) {
    if (faults.length === 0) report.add({ offset: 0, length: 0 }, "invalid-json", "error", "The file is empty.");
    return report.findings();
  }
  if (root.type === "array") checkArray(report, root, collection);
  else if (root.type === "object") checkObject(report, root, collection);
  else report.add(root, "unknown-document", "error", "Expected an object or an array.");
  return report.findings();
}

function sayParseError(fault: ParseError): string {
  return printParseErrorCode(fault.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

function checkArray(report: Report, array: Node, collection: CollectionSchema | undefined): void {
  for (const element of elementsOf(array)) {
    const name = stringOf(element);
    if (name !== undefined) checkName(report, name, collection);
    else if (element.type === "object") checkObject(report, element, collection);
    else report.add(element, "unknown-document", "error", "Expected names or documents.");
  }
}

/** Members whose strings come from a closed list, wherever they stand. */
const LISTED = new Map<string, keyof typeof LISTS>([
  ["svc:mask_capabilities", "maskClass"],
  ["svc:mask_source", "maskSource"],
  ["svc:pseudo_bands", "pseudoBand"],
  ["svc:units", "unit"],
  ["svc:default_units", "unit"],
  ["units", "unit"],
  ["svc:harmonize_levels", "harmonize"],
  ["svc:default_harmonize", "harmonize"],
  ["svc:harmonization", "harmonize"],
  ["harmonize", "harmonize"],
  ["index", "index"],
]);

/** Members that hold geometries, text, or summaries over several sensors: they contain no names of the schema. */
const SKIPPED = new Set(["links", "geometry", "bounds", "extent", "summaries", "fields", "providers", "svc:recipes"]);

function checkObject(report: Report, object: Node, given: CollectionSchema | undefined): void {
  const members = membersOf(object);
  const collection = ownCollection(report, object, given);
  for (const [name, { value }] of members) {
    const list = LISTED.get(name);
    if (SKIPPED.has(name) || name === "input") continue;
    if (list !== undefined) {
      for (const word of stringsOf(value)) checkListed(report, word, list);
    } else if (name === "assets" || name === "item_assets") {
      if (collection === undefined) reportMissing(report, members.get(name)?.key ?? value, object);
      else
        checkAssets(
          report,
          value,
          collection,
          name === "assets" ? propertiesOf(members.get("properties")?.value) : undefined,
        );
    } else if (name === "cloudMask") {
      for (const word of stringsOf(membersOf(value).get("exclude")?.value)) checkListed(report, word, "maskClass");
    } else if (name === "bands") {
      checkBands(report, value, collection);
    } else if (name === "collections") {
      for (const word of stringsOf(value)) checkCollection(report, word);
      for (const each of elementsOf(value)) if (each.type === "object") checkObject(report, each, given);
    } else if (value.type === "object") {
      checkObject(report, value, collection);
    } else {
      for (const each of elementsOf(value)) if (each.type === "object") checkObject(report, each, collection);
    }
  }
  const input = membersOf(members.get("input")?.value);
  for (const data of elementsOf(input.get("data")?.value)) checkInput(report, data, members.get("bands")?.value);
}

/** The collection that an object names for itself and what it holds. */
function ownCollection(
  report: Report,
  object: Node,
  given: CollectionSchema | undefined,
): CollectionSchema | undefined {
  const members = membersOf(object);
  const isCollection = stringOf(members.get("type")?.value)?.text === "Collection";
  const named = stringOf(members.get(isCollection ? "id" : "collection")?.value);
  const source = stringOf(members.get("svc:source_collection")?.value);
  if (source !== undefined) checkCollection(report, source);
  if (named !== undefined) {
    const found = checkCollection(report, named);
    return found ?? given;
  }
  const listed = stringsOf(members.get("collections")?.value);
  const [only] = listed;
  return only !== undefined && listed.length === 1 ? (defaultRegistry.find(only.text)?.collection ?? given) : given;
}

/** Says that bands cannot be checked, unless an unknown collection was reported as the reason already. */
function reportMissing(report: Report, at: { offset: number; length: number }, object: Node): void {
  const named = membersOf(object);
  if (stringOf(named.get("collection")?.value) !== undefined) return;
  if (stringOf(named.get("type")?.value)?.text === "Collection") return;
  report.add(at, "missing-collection", "warning", "The document names no collection, so its bands were not checked.");
}

function checkBands(report: Report, value: Node, collection: CollectionSchema | undefined): void {
  if (collection === undefined) return;
  for (const word of stringsOf(value)) checkBand(report, word, collection);
  for (const each of elementsOf(value)) if (each.type === "object") checkBandObject(report, each, collection);
}

/** Checks one entry of `input.data` in a process or statistics request, with the bands requested beside it. */
function checkInput(report: Report, data: Node, bands: Node | undefined): void {
  const members = membersOf(data);
  const type = stringOf(members.get("type")?.value);
  const processing = membersOf(members.get("processing")?.value);
  const units = stringOf(processing.get("units")?.value);
  const level = stringOf(processing.get("harmonize")?.value);
  const knownUnits = units === undefined || checkListed(report, units, "unit");
  const knownLevel = level !== undefined && checkListed(report, level, "harmonize");
  if (type === undefined) {
    report.add(data, "missing-collection", "warning", "The input names no collection, so its bands were not checked.");
    return;
  }
  const collection = checkCollection(report, type);
  if (collection === undefined) return;
  const { processUnits } = collection;
  if (units !== undefined && knownUnits && !processUnits.some((unit) => unit === units.text)) {
    report.add(
      units,
      "units-unavailable",
      "error",
      `Processing of ${collection.id} gives ${processUnits.join(" or ")}, not ${units.text}.`,
      units.text,
    );
  }
  if (level !== undefined && knownLevel && !(collection.harmonizeLevels as readonly string[]).includes(level.text)) {
    const message = `${collection.id} offers ${collection.harmonizeLevels.join(" and ")}, not "${level.text}".`;
    report.add(level, "harmonize-unavailable", "error", message, level.text);
  }
  for (const word of stringsOf(bands)) {
    if (checkBand(report, word, collection) && units?.text !== "DN") checkPhysical(report, word, collection);
  }
  // a band under two of its names would be read twice
  const seen = new Set<string>();
  for (const word of stringsOf(bands)) {
    const band = findBand(collection, word.text);
    if (band === undefined) continue;
    if (seen.has(band.name)) {
      report.add(word, "band-mismatch", "warning", `${band.name} is requested twice.`, word.text);
    }
    seen.add(band.name);
  }
}
