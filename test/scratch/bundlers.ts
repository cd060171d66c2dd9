import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import * as vite from "vite";
import webpack from "webpack";

/** A bundle for browsers: files by name, and the one a page loads. */
export interface Built {
  readonly entry: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Warnings, which are none where all is well. */
  readonly warnings: readonly string[];
}

/** @param minify whether a bundler that would take a minute for it minifies, default true */
type Bundler = (cwd: string, input: string, options?: { readonly minify?: boolean }) => Promise<Built>;

/** The bundlers that pages are made with, each as its own documentation begins, for one module that stands in `cwd`. */
export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  esbuild: async (cwd, input) => {
    const outdir = await emptied(cwd, "out-esbuild");
    const { warnings } = await esbuild.build({
      absWorkingDir: cwd,
      entryPoints: [input],
      outdir,
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      platform: "browser",
      logLevel: "silent",
    });
    return { ...(await built(outdir, input)), warnings: warnings.map(({ text }) => text) };
  },
  vite: async (cwd, input) => {
    const outDir = await emptied(cwd, "out-vite");
    const warnings: string[] = [];
    const logger = vite.createLogger("silent");
    await vite.build({
      root: cwd,
      base: "./",
      configFile: false,
      customLogger: { ...logger, warn: (message) => void warnings.push(message) },
      build: {
        outDir,
        modulePreload: false,
        rolldownOptions: {
          input: join(cwd, input),
          output: { entryFileNames: "[name].js" },
          preserveEntrySignatures: "strict",
        },
      },
    });
    return { ...(await built(outDir, input)), warnings };
  },
  webpack: async (cwd, input, { minify = true } = {}) => {
    const path = await emptied(cwd, "out-webpack");
    const compiler = webpack({
      context: cwd,
      entry: `./${input}`,
      mode: "production",
      target: "web",
      devtool: false,
      performance: { hints: false },
      ...(minify ? {} : { optimization: { minimize: false } }),
      output: { path, filename: input },
    });
    const stats = await new Promise<webpack.Stats>((resolve, reject) => {
      compiler?.run((error, result) => {
        compiler.close(() => {
          if (error !== null || result === undefined) reject(error);
          else resolve(result);
        });
      });
    });
    const { errors = [], warnings = [] } = stats.toJson({ errors: true, warnings: true });
    return { ...(await built(path, input)), warnings: [...errors, ...warnings].map(({ message }) => message) };
  },
};

async function emptied(cwd: string, name: string): Promise<string> {
  const folder = join(cwd, name);
  await rm(folder, { recursive: true, force: true });
  // webpack makes none where it finds an error, which is to be told
  await mkdir(folder, { recursive: true });
  return folder;
}

async function built(folder: string, entry: string): Promise<Omit<Built, "warnings">> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Uint8Array>();
  for (const file of names) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    files.set(path.slice(folder.length + 1).replaceAll("\\", "/"), await readFile(path));
  }
  return { entry, files };
}

/** Writes a module. */
export async function writeModule(cwd: string, name: string, code: string): Promise<string> {
  await writeFile(join(cwd, name), code);
  return name;
}
