import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFixtureArchive } from "../tools/fixture-archive.ts";

export const REAL_SENTINEL_2 = "S2A_29RKH_20200219_0_L2A";
export const REAL_LANDSAT = "LC08_L2SP_001062_20201031_02_T2";
const COG = "image/tiff; application=geotiff; profile=cloud-optimized";

interface Item {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly assets: Record<string, unknown>;
}

/**
 * An archive of the real scenes for the legacy hosts. Its Sentinel-2 scene has a true-colour file and says that it is
 * of baseline 05.00, as every item of `sentinel-2-c1-l2a` is: display settings are written for those.
 */
export async function legacyFixtures(fixtures: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "swath-legacy-"));
  await makeFixtureArchive(fixtures, directory);
  const path = join(directory, "items", "sentinel-2-c1-l2a.ndjson");
  const items = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const changed = items.map((line) => {
    const item = JSON.parse(line) as Item;
    if (item.id !== REAL_SENTINEL_2) return line;
    item.properties["s2:processing_baseline"] = "05.00";
    item.assets.visual = { href: `assets/sentinel-2-l2a/${REAL_SENTINEL_2}/TCI.tif`, type: COG, roles: ["visual"] };
    return JSON.stringify(item);
  });
  await writeFile(path, `${changed.join("\n")}\n`);
  return directory;
}
