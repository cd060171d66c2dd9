import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { APP } from "./content/paths.ts";

const brotli = promisify(brotliCompress);
const COMPRESSIBLE = "**/*.{html,js,css,svg,json}";
/** Files that hold less are sent as they are. */
const MINIMUM_BYTES = 1024;
/** Effort of Brotli, of 11: more takes a minute for all files and saves a tenth. */
const QUALITY = 5;

/** First digits of the content's SHA-256, as names of files carry them. */
const shortHash = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 8);

/** Writes the page at `api/`: the reference with a console, which Scalar draws from the description of the service. */
export async function writeConsole(out: string, base: string): Promise<void> {
  const bundle = join(APP, "node_modules/@scalar/api-reference/dist/browser/standalone.js");
  const bytes = await readFile(bundle);
  const own = await readFile(join(APP, "site/console.js"));
  const names = { scalar: `assets/scalar-${shortHash(bytes)}.js`, own: `assets/console-${shortHash(own)}.js` };
  await copyFile(bundle, join(out, names.scalar));
  await writeFile(join(out, names.own), own);
  const page = (await readFile(join(APP, "site/console.html"), "utf8"))
    .replaceAll("{base}", base)
    .replaceAll("{served}", process.env.SWATH_DOCS_SERVED ?? "")
    .replaceAll("{scalar}", `${base}${names.scalar}`)
    .replaceAll("{console}", `${base}${names.own}`);
  await mkdir(join(out, "api"), { recursive: true });
  await writeFile(join(out, "api/index.html"), page);
}

/**
 * Moves scripts that stand in the pages into files of their own, so that the pages run under a policy that allows files
 * of this server alone.
 */
async function moveScripts(out: string): Promise<void> {
  const written = new Set<string>();
  for (const name of globSync("**/*.html", { cwd: out })) {
    const path = join(out, name);
    const html = await readFile(path, "utf8");
    const base = /(?:href|src)="([^"]*\/)assets\//.exec(html)?.[1] ?? "/";
    const scripts: Promise<void>[] = [];
    const moved = html.replace(/<script([^>]*)>([^<]+)<\/script>/g, (_, attributes: string, code: string) => {
      const file = `assets/page-${shortHash(code)}.js`;
      if (!written.has(file)) scripts.push(writeFile(join(out, file), code));
      written.add(file);
      return `<script${attributes} src="${base}${file}"></script>`;
    });
    await Promise.all(scripts);
    if (moved !== html) await writeFile(path, moved);
  }
}

/** Makes the built files ready to be sent: no scripts in pages, and each file compressed beside itself. */
export async function finish(out: string): Promise<void> {
  await moveScripts(out);
  await Promise.all(globSync(COMPRESSIBLE, { cwd: out }).map((name) => compress(join(out, name))));
}

/** Writes a file a second time, compressed by Brotli; the server makes gzip of it for the few that want that. */
async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.byteLength < MINIMUM_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  await writeFile(`${path}.br`, await brotli(bytes, { params }));
}
