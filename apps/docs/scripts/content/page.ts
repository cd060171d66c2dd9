import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A Markdown document of the site. */
export interface Page {
  /** Path below the site's sources, such as `guides/qgis.md`. */
  readonly place: string;
  readonly text: string;
  /** The file in the checkout that it is made of; absent for what the build writes itself. */
  readonly source?: string;
  /** Further members of the page's front matter. */
  readonly matter?: Readonly<Record<string, unknown>>;
}

/** Text of the first heading without its marks. */
export function titleOf(text: string): string {
  return /^#\s+(.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "";
}

/** Comments steer generators; readers do not see them. */
const COMMENT = /^<!--.*-->\n?/gm;

/** Writes pages below `folder`, each with its source in its front matter. */
export async function writePages(folder: string, pages: readonly Page[]): Promise<void> {
  for (const { place, text, source, matter = {} } of pages) {
    const path = join(folder, place);
    await mkdir(dirname(path), { recursive: true });
    const facts = { ...(source === undefined ? {} : { source }), ...matter };
    // JSON is YAML too
    await writeFile(path, `---\n${JSON.stringify(facts)}\n---\n\n${text.replace(COMMENT, "")}`);
  }
}
