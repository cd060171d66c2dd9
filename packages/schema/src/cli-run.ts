import { parseArgs } from "node:util";
import { type CheckAs, checkText } from "./check/check.ts";
import { type CheckFormat, countOf, type FileFindings, formatFindings } from "./check/format.ts";
import { diffSchemas, formatDiff } from "./document/diff.ts";
import { SchemaDocument, schemaJsonSchema } from "./document/document-model.ts";
import { SchemaError } from "./errors.ts";
import { collectionJsonSchema, upstreamKindJsonSchema } from "./parse/parse.ts";
import { defaultRegistry } from "./registry/default-registry.ts";
import { resolveCollection } from "./registry/resolve.ts";

/** The input and output of the command line. */
export interface CliHost {
  /** Text of a file; `-` is the standard input. */
  read(file: string): Promise<string>;
  write(text: string): void;
  warn(text: string): void;
}

/** 0: nothing wrong. 1: errors found, or a breaking change. 2: the command could not be carried out. */
export type ExitCode = 0 | 1 | 2;

const USAGE = `Usage:
  swath-schema check FILE...   names used in STAC documents, requests and plain lists
      --format text|json|sarif   default text
      --as auto|json|names|collection   how to read the files; default auto, which recognizes collection files and kinds of upstreams
      --collection ID            collection of names and documents that name none
      --strict                   warnings fail too
  swath-schema diff BEFORE [AFTER]   what changes between two schema documents, and what breaks
      --format text|json         default text; AFTER is this package's schema when left out
  swath-schema print [--json-schema | --collection-schema | --upstream-schema]   this package's schema, its JSON Schema,
                             or that of collection files or of kinds of upstreams
FILE may be - for the standard input.
Exit code: 0 nothing wrong, 1 errors or breaking changes, 2 the command could not be carried out.
`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Runs a command line without the program's name. Never throws; says on `warn` why a command could not be done. */
export async function runCli(args: readonly string[], host: CliHost): Promise<ExitCode> {
  try {
    const [command, ...rest] = args;
    switch (command) {
      case "check":
        return await check(rest, host);
      case "diff":
        return await diff(rest, host);
      case "print":
        return print(rest, host);
      case "help":
      case "--help":
      case "-h":
        host.write(USAGE);
        return 0;
      default:
        throw new UsageError(command === undefined ? "Expected a command." : `No command is called "${command}".`);
    }
  } catch (error) {
    host.warn(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError || isArgumentError(error)) host.warn(USAGE);
    return 2;
  }
}

async function check(args: string[], host: CliHost): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: "string", default: "text" },
      as: { type: "string", default: "auto" },
      collection: { type: "string" },
      strict: { type: "boolean", default: false },
    },
  });
  const format = oneOf<CheckFormat>("--format", values.format, ["text", "json", "sarif"]);
  const as = oneOf<CheckAs>("--as", values.as, ["auto", "json", "names", "collection"]);
  if (positionals.length === 0) throw new UsageError("Expected at least one file.");
  const options = {
    as,
    ...(values.collection === undefined ? {} : { collection: collectionOption(values.collection) }),
  };
  const files: FileFindings[] = [];
  for (const file of positionals) files.push({ file, findings: checkText(await readText(file, host), options) });
  host.write(formatFindings(files, format));
  return countOf(files, "error") > 0 || (values.strict && countOf(files, "warning") > 0) ? 1 : 0;
}

async function diff(args: string[], host: CliHost): Promise<ExitCode> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { format: { type: "string", default: "text" } },
  });
  const format = oneOf("--format", values.format, ["text", "json"]);
  const [before, after, ...more] = positionals;
  if (before === undefined || more.length > 0) throw new UsageError("Expected one or two schema documents.");
  const found = diffSchemas(
    await readSchema(before, host),
    after === undefined ? defaultRegistry.schemaData() : await readSchema(after, host),
  );
  host.write(format === "json" ? `${JSON.stringify(found, null, 2)}\n` : formatDiff(found));
  return found.needs === "major" || !found.versionFits ? 1 : 0;
}

function print(args: string[], host: CliHost): ExitCode {
  const option = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args,
    options: { "json-schema": option, "collection-schema": option, "upstream-schema": option },
  });
  if (Object.values(values).filter(Boolean).length > 1) throw new UsageError("Expected one of the schemas.");
  if (values["upstream-schema"]) {
    host.write(upstreamKindJsonSchema());
    return 0;
  }
  if (values["collection-schema"]) host.write(collectionJsonSchema());
  else host.write(values["json-schema"] ? schemaJsonSchema() : defaultRegistry.schemaDocument());
  return 0;
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(`Expected ${option} to be one of ${allowed.join(", ")}, got "${value}".`);
  return found;
}

function collectionOption(name: string): ReturnType<typeof resolveCollection> {
  try {
    return resolveCollection(name);
  } catch (error) {
    if (error instanceof SchemaError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function readText(file: string, host: CliHost): Promise<string> {
  try {
    return await host.read(file);
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function readSchema(file: string, host: CliHost): Promise<unknown> {
  const text = await readText(file, host);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  // another version may have other members: only what distinguishes a schema from other documents is checked
  const marker = SchemaDocument.pick({ "svc:schemaVersion": true }).safeParse(document);
  if (!marker.success) throw new Error(`${file} is not a schema document: it has no svc:schemaVersion such as 1.0.0.`);
  return document;
}

function isArgumentError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
