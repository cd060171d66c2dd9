import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Context } from "hono";
import { chooseEncoding } from "../answer/compress.ts";
import { conditional } from "../answer/conditional.ts";
import { pathBelow } from "./stored-bytes.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".ipynb": "application/x-ipynb+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".bin": "application/octet-stream",
};

/** Files that a build named after their content never change. */
const HASHED = /(?:^|\/)assets\/(?:[\w.-]+\/)*[\w.@-]+[.-][\w-]{8}(?:\.lean)?\.\w+$/;
/** Names of files; none of a folder above, hidden, or compressed beside another. */
const NAME = /^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/;
const SUFFIXES = { br: ".br", gzip: ".gz" } as const;

interface Built {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly changed: number;
}

/**
 * A folder that a build of pages wrote. Its files are read once each, and again where they changed on disk; those that
 * the build wrote compressed beside themselves (`name.br`, `name.gz`) are sent so.
 */
export class BuiltFiles {
  readonly #folder: string;
  readonly #files = new Map<string, Built>();

  /** @param folder path of the folder, which need not be there yet */
  constructor(folder: string) {
    this.#folder = folder.replace(/[/\\]$/, "");
  }

  async #find(name: string): Promise<Built | undefined> {
    const path = pathBelow(this.#folder, name);
    if (path === undefined) return undefined;
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || !facts.isFile()) return undefined;
    const known = this.#files.get(name);
    if (known?.changed === facts.mtimeMs) return known;
    const bytes = new Uint8Array(await readFile(path));
    const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`;
    const file = { bytes, etag, changed: facts.mtimeMs };
    this.#files.set(name, file);
    return file;
  }

  /**
   * Answers with a file of a type that pages are made of, conditionally and compressed as the client likes; undefined
   * where there is none of that name.
   *
   * @param name path below the folder, `assets/index-AbCd_123.js`; those named after their content may be kept for a year
   */
  async send(c: Context, name: string, headers: Readonly<Record<string, string>>): Promise<Response | undefined> {
    const type = TYPES[extname(name)];
    if (type === undefined || !NAME.test(name)) return undefined;
    const encoding = chooseEncoding(c.req.header("Accept-Encoding"));
    const packed = encoding === undefined ? undefined : await this.#find(`${name}${SUFFIXES[encoding]}`);
    const file = packed ?? (await this.#find(name));
    if (file === undefined) return undefined;
    const cacheControl = HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache";
    return conditional(c, { etag: file.etag, cacheControl, headers }, () => {
      const own = new Headers({
        "Content-Type": type,
        "Content-Length": String(file.bytes.byteLength),
        ...(packed === undefined || encoding === undefined ? {} : { "Content-Encoding": encoding }),
      });
      return new Response(c.req.method === "HEAD" ? null : file.bytes, { headers: own });
    });
  }
}
