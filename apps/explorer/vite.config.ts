import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { landBytes } from "./scripts/land.ts";
import { sourcesHash } from "./scripts/sources.mjs";

const COMPRESSIBLE = /\.(js|mjs|css|html|svg|bin)$/;

/** Puts the land outlines into the page's files. */
function land(): Plugin {
  const name = "land.bin";
  return {
    name: "swath:land",
    resolveId: (id) => (id === "virtual:land" ? "\0land" : undefined),
    load(id) {
      if (id !== "\0land") return undefined;
      const reference = this.emitFile({ type: "asset", name, source: landBytes() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

/** Writes each file a second and third time, compressed, and the hash of the sources that it all was made from. */
function compressed(): Plugin {
  return {
    name: "swath:compressed",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!COMPRESSIBLE.test(fileName)) continue;
          const source = Buffer.from(file.type === "chunk" ? file.code : file.source);
          const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
          this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(source, { params }) });
          this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
        this.emitFile({ type: "asset", fileName: "sources.sha256", source: `${sourcesHash()}\n` });
      },
    },
  };
}

export default defineConfig({
  base: "/explore/",
  resolve: { conditions: ["@swath/source", "module", "browser", "development|production"] },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: { index: "index.html", account: "account/index.html" } },
  },
  plugins: [land(), compressed()],
});
