/**
 * Writes what is made from other files: `src/registry/generated.ts` from the collection and preset files, and the
 * JSON that the package ships. No test runs where one differs from its source.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedJson, generatedModules, PACKAGE, type Texts } from "./generated-files.ts";

function write(texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(PACKAGE, path)), { recursive: true });
    writeFileSync(join(PACKAGE, path), text);
  }
}

write(generatedModules());
write(await generatedJson());
