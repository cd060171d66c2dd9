import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "./page.ts";
import { FILES, find, placeOf, ROOT, WRITTEN } from "./paths.ts";

/** Documents that people write: those below `docs`, and the READMEs. */
export async function writtenPages(): Promise<readonly Page[]> {
  const files = find(WRITTEN);
  return Promise.all(
    files.map(async (source) => ({ place: placeOf(source), source, text: await readFile(join(ROOT, source), "utf8") })),
  );
}

/** Copies pictures and notebooks into the folder of files that the site serves as they are. */
export async function copyFiles(folder: string): Promise<void> {
  for (const file of find(FILES)) await cp(join(ROOT, file), join(folder, placeOf(file)), { recursive: true });
}
