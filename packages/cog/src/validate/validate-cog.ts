import type { Source } from "../sources/source.ts";
import { checkLayout } from "./check-layout.ts";
import { type LayoutOptions, readLayout } from "./cog-layout.ts";
import type { CogFinding } from "./cog-rules.ts";

/**
 * Says which rules of Cloud-Optimized GeoTIFFs a file breaks. Reads its header, its tables of blocks, and the bytes around
 * some blocks where the file makes claims about them; of tables of more than 131,072 blocks the beginning.
 *
 * @returns errors before warnings; none for a good file. A file is a COG where none is an error, as GDAL's validator has it,
 *   except for overviews beside the file, which it refuses and this does not see, and blocks beyond the end of the file, which it
 *   takes and this does not.
 * @throws {CogError} where the file cannot be opened, a table of blocks is damaged, or a read fails.
 */
export async function validateCog(source: Source, options: LayoutOptions = {}): Promise<readonly CogFinding[]> {
  return checkLayout(await readLayout(source, options));
}
