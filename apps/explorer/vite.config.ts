import { promisify } from "node:util";
import { brotliCompress, constants, gzip as gzipTo } from "node:zlib";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { landBytes } from "./scripts/land.ts";
import { labelsText, placesText } from "./scripts/places.ts";
import { sourcesHash } from "./scripts/sources.mjs";
import { readServiceAddress } from "./src/api/service-address.ts";

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipTo);
const COMPRESSIBLE = /\.(js|mjs|css|html|svg|bin)$/;

/** Files of the base map, by the module that gives their address. All end in `.bin`, which the service serves compressed. */
const DATA: Readonly<Record<string, () => Uint8Array | string>> = {
  land: landBytes,
  labels: labelsText,
  places: placesText,
};

/** Puts the base map's outlines, names and places into the page's files. */
function baseMap(): Plugin {
  const prefix = "virtual:";
  return {
    name: "swath:base-map",
    resolveId: (id) => (id.startsWith(prefix) && id.slice(prefix.length) in DATA ? `\0${id}` : undefined),
    load(id) {
      const name = id.startsWith(`\0${prefix}`) ? id.slice(prefix.length + 1) : "";
      const make = DATA[name];
      if (make === undefined) return undefined;
      const reference = this.emitFile({ type: "asset", name: `${name}.bin`, source: make() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

/**
 * Lets the page load the map's code beside its own, and run it no sooner than the map is opened: it is the largest part, and
 * what runs it keeps the panel waiting.
 */
function mapAhead(base: string): Plugin {
  const isMap = ({ type, facadeModuleId = "" }: { type: string; facadeModuleId?: string | null }): boolean =>
    type === "chunk" && facadeModuleId?.endsWith("/map/maplibre/map.ts") === true;
  return {
    name: "swath:map-ahead",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, path }) {
        if (path.startsWith("/account")) return html;
        const map = Object.values(bundle).find(isMap);
        if (map?.type !== "chunk") throw new Error("The map's code has no file of its own.");
        return [map.fileName, ...map.imports].flatMap((file) =>
          html.includes(file)
            ? []
            : [
                {
                  tag: "link",
                  injectTo: "head" as const,
                  attrs: { rel: "modulepreload", crossorigin: true, fetchpriority: "low", href: `${base}${file}` },
                },
              ],
        );
      },
    },
  };
}

/** Modules at the start of the map page, and at the start of the account page and of parts in pages of others. */
const STARTS = { page: /\/src\/main\.tsx$/, other: /\/src\/(?:account\/main\.ts|embed\/\w+\/room\.tsx)$/ };

interface Reached {
  /** Whether the map page loads it at once. */
  readonly page: boolean;
  /** Whether the account page or a part loads it, at once or later. */
  readonly other: boolean;
}

/**
 * Keeps what the map page loads at once and others load too in one file: without it there would be one for each set of modules
 * that loads them, each of them a request before the first view.
 */
function sharedFile(): (id: string, context: { getModuleInfo: Rolldown.GetModuleInfo }) => string | null {
  const found = new Map<string, Reached>();
  return (module, context) => {
    const reached = (id: string): Reached => {
      const known = found.get(id);
      if (known !== undefined) return known;
      const own = { page: STARTS.page.test(id), other: STARTS.other.test(id) };
      // modules that import each other meet it here
      found.set(id, own);
      const { importers = [], dynamicImporters = [] } = context.getModuleInfo(id) ?? {};
      const now = importers.map(reached);
      const later = dynamicImporters.map(reached);
      const either = {
        page: own.page || now.some(({ page }) => page),
        other: own.other || [...now, ...later].some(({ other }) => other),
      };
      found.set(id, either);
      return either;
    };
    const { page, other } = reached(module);
    return page && other ? "shared" : null;
  };
}

/**
 * Writes each file a second and third time, compressed, and the hash of the sources that it all was made from. Brotli's best
 * quality makes them a tenth smaller than quality 9 in thirty times its processor time, which is four seconds.
 */
function compressed(quality: number): Plugin {
  return {
    name: "swath:compressed",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const compress = async ([fileName, file]: [
          string,
          Rolldown.OutputAsset | Rolldown.OutputChunk,
        ]): Promise<void> => {
          const source = Buffer.from(file.type === "chunk" ? file.code : file.source);
          const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 22 };
          this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: await brotli(source, { params }) });
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: await gzip(source, { level: 9 }) });
        };
        await Promise.all(
          Object.entries(bundle)
            .filter(([fileName]) => COMPRESSIBLE.test(fileName))
            .map(compress),
        );
        this.emitFile({ type: "asset", fileName: "sources.sha256", source: `${sourcesHash()}\n` });
      },
    },
  };
}

/**
 * Rules of a page whose host sends none: its own code alone runs, whatever a service answers, and requests go to services by https
 * or of the reader's own machine.
 */
const STATIC_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:* data: blob:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Makes the page one of any host: without what is asked of its own origin, and with rules that a service sends as headers. */
function staticPage(): Plugin {
  return {
    name: "swath:static-page",
    transformIndexHtml: {
      order: "pre",
      handler: (html) => ({
        html: html
          .replace(/ *<!-- the documents[^\n]*\n/, "")
          .replaceAll(/ *<link rel="preload" as="fetch"[^\n]*\n/g, "")
          .replace(/ The API itself needs none[^<]*<a.*<\/a>\./, ""),
        tags: [
          { tag: "meta", injectTo: "head-prepend", attrs: { name: "referrer", content: "no-referrer" } },
          {
            tag: "meta",
            injectTo: "head-prepend",
            attrs: { "http-equiv": "Content-Security-Policy", content: STATIC_POLICY },
          },
        ],
      }),
    },
  };
}

/** The service that the static build shows where the address names none, from the variable `SWATH_SERVICE`. */
function givenService(): string {
  const { SWATH_SERVICE: text = "" } = process.env;
  return text === "" ? "" : readServiceAddress(text).href;
}

/**
 * The page that the service serves; with `--mode static` the folder of a static host, with `--mode start` the page of a checkout
 * whose first start waits for it.
 */
export default defineConfig(({ mode }) => {
  const isStatic = mode === "static";
  const base = isStatic ? "./" : "/explore/";
  const pages = isStatic ? {} : { account: "account/index.html" };
  return {
    base,
    // code that pages of others load names its files from where it is itself
    experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
    define: { STATIC_SERVICE: isStatic ? JSON.stringify(givenService()) : "undefined" },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    resolve: { conditions: ["@swath/source", "module", "browser", "development|production"] },
    build: {
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: { index: "index.html", embed: "src/embed/embed.ts", ...pages },
        // pages of others name it in their markup
        output: {
          entryFileNames: ({ name }) => (name === "embed" ? "embed.js" : "assets/[name]-[hash].js"),
          codeSplitting: { groups: [{ name: sharedFile() }] },
        },
      },
      ...(isStatic ? { outDir: "dist-static" } : {}),
    },
    plugins: [baseMap(), mapAhead(base), isStatic ? staticPage() : compressed(mode === "start" ? 9 : 11)],
  };
});
