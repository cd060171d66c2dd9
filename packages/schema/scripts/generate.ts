/** Writes the schema and its JSON Schema as the package ships them. A test holds both files equal to the data. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaDocument, schemaJsonSchema } from "../src/index.ts";

const folder = join(import.meta.dirname, "..", "json");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "schema-v1.json"), schemaDocument());
writeFileSync(join(folder, "schema-v1.schema.json"), schemaJsonSchema());
