import { writeFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import type { Context } from "./main.ts";
import type { CommonOptions } from "./options.ts";

/** The file that `-o` names, `-` for standard output, where nothing else may be printed then. */
export function outputOf(
  { output, json, csv }: CommonOptions & { readonly output?: string },
  otherwise: string,
): string {
  const path = output ?? otherwise;
  if (path !== "-" || (json === undefined && csv === undefined)) return path;
  throw new InvalidArgumentError("--output -: Expected no --json and no --csv beside it.");
}

/** Writes the bytes of a result to a file or to standard output. */
export async function writeOutput({ terminal }: Context, path: string, bytes: Uint8Array): Promise<void> {
  if (path === "-") terminal.write(bytes);
  else await writeFile(path, bytes);
}
