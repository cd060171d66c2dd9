import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

export interface Bundle {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Bytes, gzip-compressed, of the entry and what it imports at once. */
  readonly initial: number;
}

/** Bundles an entry for browsers, minified. `input` is a file, or code that stands in `cwd`. */
export async function bundle(cwd: string, input: string | { readonly code: string }): Promise<Bundle> {
  const virtual = join(cwd, "entry.js");
  const build = await rolldown({
    cwd,
    input: typeof input === "string" ? input : virtual,
    platform: "browser",
    logLevel: "silent",
    plugins:
      typeof input === "string"
        ? []
        : [
            {
              name: "entry",
              load: (id: string) => (id === virtual ? input.code : null),
              resolveId: (id: string) => (id === virtual ? id : null),
            },
          ],
  });
  const { output } = await build.generate({ minify: true });
  await build.close();
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []));
  const needed = new Set<string>();
  const take = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) take(next);
  };
  for (const { fileName, isEntry } of chunks) if (isEntry) take(fileName);
  const files = new Map(
    output.map((file) => [file.fileName, file.type === "chunk" ? Buffer.from(file.code) : Buffer.from(file.source)]),
  );
  const sizes = [...needed].map((name) => gzipSync(files.get(name) ?? "", { level: 9 }).length);
  return { files, initial: sizes.reduce((sum, size) => sum + size, 0) };
}
