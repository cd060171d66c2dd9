import * as z from "zod";
import { SchemaError } from "../errors.ts";
import { type AnyCollectionFile, CollectionFile, isVirtualFile } from "../file/collection-file.ts";
import { UpstreamKindFile } from "../file/upstream-kind-file.ts";
import { VirtualCollectionFile } from "../file/virtual-file.ts";
import { consistencyFaults, virtualConsistencyFaults } from "./consistency.ts";
import { type FileFault, faultOf, faultsOfIssue, formatFault } from "./faults.ts";

/** A file of data that a service is made of: a collection of either kind, or a kind of upstream. */
export type ServiceFile = AnyCollectionFile | UpstreamKindFile;

/** Whether a file is about a kind of upstream. */
export function isUpstreamKindFile(file: ServiceFile): file is UpstreamKindFile {
  return "kind" in file && file.kind === "upstream";
}

/** A collection file that cannot be used. The message names the file and its first fault; `faults` has all of them. */
export class CollectionFileError extends SchemaError {
  override readonly name = "CollectionFileError";
  readonly faults: readonly FileFault[];

  constructor(file: string, faults: readonly FileFault[], options?: ErrorOptions) {
    const [first] = faults;
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
    super("invalid-file", file, `${file}: ${first === undefined ? "not usable" : formatFault(first)}${more}`);
    this.faults = faults;
    if (options?.cause !== undefined) this.cause = options.cause;
  }
}

/**
 * Returns the faults of a collection file, or of the file of a kind of upstream, given as parsed JSON; empty where it
 * can be used.
 */
export function collectionFileFaults(input: unknown): FileFault[] {
  const parsed = modelOf(input).safeParse(input);
  if (parsed.success) {
    const file: ServiceFile = parsed.data;
    if (isUpstreamKindFile(file)) return [];
    return isVirtualFile(file) ? virtualConsistencyFaults(file) : consistencyFaults(file);
  }
  const known = memberNames();
  return parsed.error.issues.flatMap((issue) => faultsOfIssue(issue, input, known));
}

/**
 * Reads the text of a file of data.
 *
 * @param name of the file, for the error.
 * @throws {CollectionFileError} with each fault: JSON Pointer, what was expected and what came.
 */
export function parseServiceFile(text: string, name: string): ServiceFile {
  let input: unknown;
  try {
    input = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new CollectionFileError(name, [{ ...faultOf(undefined, [], "JSON"), got: messageOf(cause) }], { cause });
  }
  const faults = collectionFileFaults(input);
  if (faults.length > 0) throw new CollectionFileError(name, faults);
  return modelOf(input).parse(input);
}

/**
 * Reads the text of a collection file of either kind.
 *
 * @param name of the file, for the error.
 * @throws {CollectionFileError} as `parseServiceFile`, and for the file of a kind of upstream.
 */
export function parseAnyCollectionFile(text: string, name: string): AnyCollectionFile {
  const file = parseServiceFile(text, name);
  if (!isUpstreamKindFile(file)) return file;
  throw new CollectionFileError(name, [faultOf(file, ["kind"], "the file of a collection")]);
}

/**
 * Reads the text of the file of a collection that has items of its own.
 *
 * @param name of the file, for the error.
 * @throws {CollectionFileError} as `parseAnyCollectionFile`, and for the file of a virtual collection.
 */
export function parseCollectionFile(text: string, name: string): CollectionFile {
  const file = parseAnyCollectionFile(text, name);
  if (!isVirtualFile(file)) return file;
  throw new CollectionFileError(name, [faultOf(file, ["kind"], "the file of a collection with items of its own")]);
}

/** A file that names a kind is one of an upstream, or of a virtual collection. */
function modelOf(input: unknown): z.ZodType<ServiceFile> {
  if (typeof input !== "object" || input === null || !("kind" in input)) return CollectionFile;
  return input.kind === "upstream" ? UpstreamKindFile : VirtualCollectionFile;
}

const AnyFile = z.union([CollectionFile, VirtualCollectionFile]);

/** JSON Schema (2020-12) of a collection file, as text; the file that the package ships. */
export function collectionJsonSchema(): string {
  const schema = { $id: "urn:swath:collection", ...z.toJSONSchema(AnyFile, { io: "input" }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** JSON Schema (2020-12) of the file of a kind of upstream, as text; the file that the package ships. */
export function upstreamKindJsonSchema(): string {
  const schema = { $id: "urn:swath:upstream", ...z.toJSONSchema(UpstreamKindFile, { io: "input" }) };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Names of members anywhere in a file, to say what a misspelt one may have been. */
function memberNames(): readonly string[] {
  const models = [AnyFile, UpstreamKindFile].map((model) => z.toJSONSchema(model, { io: "input" }));
  return [...new Set(models.flatMap(propertyNames))];
}

function propertyNames(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own =
    "properties" in schema && typeof schema.properties === "object" ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(propertyNames)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
