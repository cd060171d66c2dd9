import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { chooseEncoding, conditional, methodsOf } from "@swath/web";
import { ProblemError } from "../../errors/problems.ts";
import type { AppContext } from "../../http/request/context.ts";
import type { Router } from "../../http/request/route.ts";
import { page } from "./pages.ts";
import { EXPLORER_FOLDER } from "./served-folders.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".bin": "application/octet-stream",
};

/** Directives that allow pages more than loading from this service alone. */
const COMMON = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * MapLibre makes its worker from a file of the page, draws icons of its style sheet from `data:`, and previews fetched
 * with the key are shown as `blob:`.
 */
const EXPLORER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' data: blob:",
  "worker-src 'self' blob:",
  ...COMMON,
].join("; ");

/** The account page holds a session: text never becomes markup or script in it (Trusted Types). */
const ACCOUNT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  ...COMMON,
].join("; ");

const headersOf = (policy: string): Record<string, string> => ({
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
});

/** Files that the build named after their content never change. */
const HASHED = /^assets\/[\w.-]+-[\w-]{8}\.\w+$/;
const NAME = /^(?:assets\/)?[\w.-]+\.(?:html|js|mjs|css|svg|wasm|bin)$/;

interface Built {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Reads files of the build once each; they are asked for anew where they changed on disk. */
class BuiltFiles {
  readonly #folder: string;
  readonly #files = new Map<string, Built & { readonly changed: number }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(name: string): Promise<Built | undefined> {
    const path = join(this.#folder, name);
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
}

const SUFFIXES = { br: ".br", gzip: ".gz" } as const;

/** A file of the build, in the encoding that the build already made of it. */
async function sendBuilt(
  c: AppContext,
  files: BuiltFiles,
  name: string,
  policy: string = EXPLORER_POLICY,
): Promise<Response | undefined> {
  const encoding = chooseEncoding(c.req.header("Accept-Encoding"));
  const packed = encoding === undefined ? undefined : await files.find(`${name}${SUFFIXES[encoding]}`);
  const file = packed ?? (await files.find(name));
  if (file === undefined) return undefined;
  const cacheControl = HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache";
  return conditional(c, { etag: file.etag, cacheControl, headers: headersOf(policy) }, () => {
    const headers = new Headers({
      "Content-Type": TYPES[name.slice(name.lastIndexOf("."))] ?? "application/octet-stream",
      "Content-Length": String(file.bytes.byteLength),
      ...(packed === undefined || encoding === undefined ? {} : { "Content-Encoding": encoding }),
    });
    return new Response(c.req.method === "HEAD" ? null : file.bytes, { headers });
  });
}

/** The page that is served where the explorer was not built. */
function unbuilt(): Response {
  const response = page(
    "Swath explorer",
    `<h1>The explorer is not built</h1>
<p>The service runs; only its map and account pages are missing. <code>npm start</code> builds it by itself; by hand it is built with
<code>npx vite build apps/explorer</code> in the project's folder. Then open this page again.</p>
<p><a href="/v1">Landing page</a> · <a href="/docs">Documentation</a></p>`,
  );
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/** The map page at `/explore`, and `/`, which leads a browser there and others to the landing page. */
export function registerExplorer({ app, paths }: Router, folder: string = EXPLORER_FOLDER): void {
  const files = new BuiltFiles(folder);
  const root = paths.add("/", methodsOf("get"));
  app.get(root.pattern, (c) => {
    const isBrowser = /\btext\/html\b/.test(c.req.header("Accept") ?? "");
    return new Response(null, {
      status: 302,
      headers: { Location: isBrowser ? "/explore" : "/v1", Vary: "Accept", "Cache-Control": "no-cache" },
    });
  });
  const explore = paths.add("/explore", methodsOf("get"));
  app.get(explore.pattern, async (c) => (await sendBuilt(c, files, "index.html")) ?? unbuilt());
  const file = paths.add("/explore/{file*}", methodsOf("get"));
  app.get(file.pattern, async (c) => {
    const { file: name = "" } = file.read(c.req.path);
    const response = NAME.test(name) ? await sendBuilt(c, files, name) : undefined;
    if (response === undefined) throw new ProblemError("not-found", `Nothing is served at ${c.req.path}.`);
    return response;
  });
}

/** The page at `/account`: sign in, keys, units. Its files are the explorer's. */
export function registerAccountPage({ app, paths }: Router, folder: string = EXPLORER_FOLDER): void {
  const files = new BuiltFiles(folder);
  const account = paths.add("/account", methodsOf("get"));
  app.get(account.pattern, async (c) => (await sendBuilt(c, files, "account/index.html", ACCOUNT_POLICY)) ?? unbuilt());
}
