/**
 * Writes what is made from other files: `src/collections/generated.ts` from the collection and preset files, and the
 * JSON that the package ships. Tests hold each equal to its source.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedModule, generatedUpstreams } from "./generated-module.ts";

const root = join(import.meta.dirname, "..");
mkdirSync(join(root, "src", "collections"), { recursive: true });
writeFileSync(join(root, "src", "collections", "generated.ts"), generatedModule());
mkdirSync(join(root, "src", "upstreams"), { recursive: true });
writeFileSync(join(root, "src", "upstreams", "generated.ts"), generatedUpstreams());

// loaded afterwards, since it holds the module that was just written
const { collectionJsonSchema, schemaDocument, schemaJsonSchema, upstreamKindJsonSchema } = await import(
  "../src/index.ts"
);
const folder = join(root, "json");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "schema-v1.json"), schemaDocument());
writeFileSync(join(folder, "schema-v1.schema.json"), schemaJsonSchema());
writeFileSync(join(folder, "collection.schema.json"), collectionJsonSchema());
writeFileSync(join(folder, "upstream.schema.json"), upstreamKindJsonSchema());
