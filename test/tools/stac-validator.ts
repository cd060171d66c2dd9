import { createRequire } from "node:module";
import { join } from "node:path";

interface Report {
  readonly valid: boolean | null;
  readonly skipped: boolean;
  readonly results: {
    readonly core: readonly object[];
    readonly extensions: Readonly<Record<string, readonly object[]>>;
  };
}

const require = createRequire(import.meta.url);
const validate = require("stac-node-validator") as (document: unknown, config: object) => Promise<Report>;
const loader: unknown = require("stac-node-validator/src/loader/node");
const BaseValidator = require("stac-node-validator/src/baseValidator") as new () => object;

interface Ajv {
  readonly opts: { inlineRefs: boolean };
}

/** Schemas are compiled once for all documents, which takes longer than to validate them: the validator itself forgets them. */
class KeptSchemas extends BaseValidator {
  #first: Ajv | undefined;

  async createAjv(made: Ajv): Promise<Ajv> {
    // a schema that many refer to is compiled once
    made.opts.inlineRefs = false;
    this.#first ??= made;
    return this.#first;
  }
}
const kept = new KeptSchemas();

/**
 * Returns the faults that stac-node-validator finds in a document, extensions included, without a network; empty for a valid
 * one. The published schemas are in the folder `SWATH_SCHEMAS`.
 */
export async function stacFaults(document: unknown): Promise<string[]> {
  const { SWATH_SCHEMAS: schemas = "" } = process.env;
  const at = (folder: string): string => `${join(schemas, folder)}/`;
  const { valid, skipped, results } = await validate(document, {
    loader,
    customValidator: kept,
    schemaMap: {
      "https://schemas.stacspec.org/": at("stacspec"),
      "https://geojson.org/schema/": at("geojson"),
      "https://stac-extensions.github.io/": at("ext"),
      "https://proj.org/schemas/": at("projjson"),
    },
  });
  if (valid === true && !skipped) return [];
  const faults = [["core", results.core] as const, ...Object.entries(results.extensions)].flatMap(([of, errors]) =>
    errors.map((error) => `${of}: ${JSON.stringify(error)}`),
  );
  return faults.length > 0 ? faults : ["not validated"];
}
