import { isColormap } from "../preset/colormaps.ts";
import { PresetFile } from "../preset/preset.ts";
import { type FileFault, faultOf, faultsOfIssue } from "./faults.ts";
import { CollectionFileError } from "./parse.ts";

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Words that name something else at the place of a preset. */
const RESERVED = /^(?:custom|index-.*)$/;

/**
 * Reads the text of the file of a preset of one's own.
 *
 * @param name of the file, for the error.
 * @throws {CollectionFileError} with each fault: JSON Pointer, what was expected and what came.
 */
export function parsePresetFile(text: string, name: string): PresetFile {
  let input: unknown;
  try {
    input = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : String(cause);
    throw new CollectionFileError(name, [{ ...faultOf(undefined, [], "JSON"), got }], { cause });
  }
  const parsed = PresetFile.safeParse(input);
  const known = Object.keys(PresetFile.shape);
  const faults = parsed.success
    ? faultsOf(parsed.data)
    : parsed.error.issues.flatMap((issue) => faultsOfIssue(issue, input, known));
  if (faults.length > 0 || !parsed.success) throw new CollectionFileError(name, faults);
  return parsed.data;
}

function faultsOf(file: PresetFile): FileFault[] {
  const { id, colormap, minzoom, maxzoom, expression, bands } = file;
  const faults: FileFault[] = [];
  if (!ID.test(id)) faults.push(faultOf(file, ["id"], "lower-case letters, digits and hyphens"));
  if (RESERVED.test(id)) faults.push(faultOf(file, ["id"], 'another name than "custom" and "index-..."'));
  if (colormap !== undefined && !isColormap(colormap))
    faults.push(faultOf(file, ["colormap"], "the name of a colormap"));
  if (minzoom > maxzoom) faults.push(faultOf(file, ["minzoom"], `at most ${maxzoom}`));
  if (expression === undefined && bands.length !== 1 && bands.length !== 3) {
    faults.push(faultOf(file, ["bands"], "one or three bands, or an expression"));
  }
  return faults;
}
