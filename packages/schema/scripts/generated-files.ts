import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generatedIndices, generatedModule, generatedUpstreams } from "./generated-module.ts";

/** The folder of the package, which the paths of files begin at. */
export const PACKAGE = join(import.meta.dirname, "..");
/** Texts of files by their paths. */
export type Texts = Readonly<Record<string, string>>;

/** The modules made of the files of collections, presets, indices and upstreams. */
export function generatedModules(): Texts {
  return {
    "src/registry/generated.ts": generatedModule(),
    "src/preset/generated.ts": generatedIndices(),
    "src/upstreams/generated.ts": generatedUpstreams(),
  };
}

/** The JSON that the package ships, made of its modules, which have to be written before. */
export async function generatedJson(): Promise<Texts> {
  const { defaultRegistry } = await import("../src/index.ts");
  const { schemaJsonSchema } = await import("../src/document/document-model.ts");
  const { collectionJsonSchema, upstreamKindJsonSchema } = await import("../src/parse/parse.ts");
  return {
    "json/schema-v1.json": defaultRegistry.schemaDocument(),
    "json/schema-v1.schema.json": schemaJsonSchema(),
    "json/collection.schema.json": collectionJsonSchema(),
    "json/upstream.schema.json": upstreamKindJsonSchema(),
  };
}

/** @throws {Error} that names the files which differ from their texts, and the command that writes them. */
export function checkGenerated(texts: Texts): void {
  const old = Object.entries(texts).filter(([path, text]) => readFileSync(join(PACKAGE, path), "utf8") !== text);
  if (old.length === 0) return;
  const paths = old.map(([path]) => `packages/schema/${path}`).join(", ");
  throw new Error(`Not what its sources give: ${paths}. Run: npx pnpm --filter @swath/schema generate`);
}
