// Builds the site of the documents: `dist` for the server, or files for any host.
//   node --conditions=@swath/source scripts/build.ts [--if-stale] [--background] [--base /swath/] [--out folder]
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { changelogPage } from "./content/changelog.ts";
import { decisionsPage } from "./content/decisions.ts";
import { errorPages } from "./content/errors.ts";
import { httpApiPage } from "./content/http-api.ts";
import { packagesPage, writeReference } from "./content/packages.ts";
import { writePages } from "./content/page.ts";
import { APP, ROOT } from "./content/paths.ts";
import { readOpenApi } from "./content/service.ts";
import { copyFiles, writtenPages } from "./content/written.ts";
import { finish, writeConsole } from "./finish.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { isMade, MARK, packagesHash, sourcesHash } from "./sources.ts";

/** Where the server has the site. */
const SERVED_BASE = "/docs/";

const { values } = parseArgs({
  options: {
    "if-stale": { type: "boolean", default: false },
    background: { type: "boolean", default: false },
    base: { type: "string", default: SERVED_BASE },
    out: { type: "string", default: join(APP, "dist") },
  },
});

const CONTENT = join(APP, ".content");
const REFERENCE = join(APP, ".reference");

/** Makes the reference of packages, where their sources have changed since. */
async function refreshReference(): Promise<void> {
  const hash = packagesHash();
  if (isMade(REFERENCE, hash)) return;
  await rm(REFERENCE, { recursive: true, force: true });
  await writeReference(REFERENCE);
  await writeFile(join(REFERENCE, MARK), `${hash}\n`);
}

/** Puts all pages and files of the site into one folder, as VitePress wants them. */
async function gather(): Promise<void> {
  const [written, openApi] = await Promise.all([writtenPages(), readOpenApi(), refreshReference()]);
  await rm(CONTENT, { recursive: true, force: true });
  await cp(join(APP, "pages"), CONTENT, { recursive: true });
  await cp(REFERENCE, join(CONTENT, "reference"), { recursive: true, filter: (name) => !name.endsWith(MARK) });
  const made = [
    await changelogPage(ROOT),
    decisionsPage(written),
    ...errorPages(),
    httpApiPage(openApi),
    packagesPage(),
  ];
  await writePages(CONTENT, [...written, ...made]);
  const files = join(CONTENT, "public");
  await copyFiles(files);
  await mkdir(join(files, "api"), { recursive: true });
  await writeFile(join(files, "api/openapi.json"), JSON.stringify(openApi));
}

const { base } = values;
const out = resolve(values.out);
const hash = sourcesHash(base);
if (values.background) setPriority(constants.priority.PRIORITY_LOW);
await oneAtATime(join(APP, ".building"));
if (!(values["if-stale"] && isMade(out, hash))) {
  await gather();
  const fresh = `${out}.new`;
  // the theme reads whether a server of the service gives its pages
  // a notebook is a file and no page
  process.env.VITE_EXTRA_EXTENSIONS = "ipynb";
  process.env.SWATH_DOCS_SERVED = base === SERVED_BASE ? "yes" : "";
  await build(join(APP, "site"), { base, outDir: fresh });
  await writeConsole(fresh, base);
  await finish(fresh);
  await writeFile(join(fresh, MARK), `${hash}\n`);
  await rm(out, { recursive: true, force: true });
  await rename(fresh, out);
}
