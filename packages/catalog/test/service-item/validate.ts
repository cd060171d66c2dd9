import { createRequire } from "node:module";
import { join } from "node:path";
import { schemas } from "../fixtures.ts";

interface Report {
  readonly valid: boolean | null;
  readonly skipped: boolean;
  readonly results: {
    readonly core: readonly object[];
    readonly extensions: Readonly<Record<string, readonly object[]>>;
  };
}

type Validate = (data: unknown, config: { loader: unknown; schemaMap: Record<string, string> }) => Promise<Report>;

const require = createRequire(import.meta.url);

/** Returns the faults that stac-node-validator finds in an item, without a network; empty for a valid one. */
export async function faultsOf(item: unknown): Promise<string[]> {
  const validate = require("stac-node-validator") as Validate;
  const loader: unknown = require("stac-node-validator/src/loader/node");
  const at = (folder: string): string => `${join(schemas ?? "", folder)}/`;
  const report = await validate(item, {
    loader,
    schemaMap: {
      "https://schemas.stacspec.org/": at("stacspec"),
      "https://geojson.org/schema/": at("geojson"),
      "https://stac-extensions.github.io/": at("ext"),
      "https://proj.org/schemas/": at("projjson"),
    },
  });
  if (report.valid === true && !report.skipped) return [];
  const extensions = Object.entries(report.results.extensions).filter(([, errors]) => errors.length > 0);
  const faults = [["core", report.results.core] as const, ...extensions].flatMap(([of, errors]) =>
    errors.map((error) => `${of}: ${JSON.stringify(error)}`),
  );
  return faults.length > 0 ? faults : ["not validated"];
}

/** An item with the links that the service adds. */
export function withLinks(item: { readonly id: string; readonly collection?: string | undefined }): unknown {
  const base = "https://swath.example/v1";
  const collection = `${base}/collections/${item.collection}`;
  return {
    ...item,
    links: [
      { rel: "self", href: `${collection}/items/${item.id}`, type: "application/geo+json" },
      { rel: "root", href: base, type: "application/json" },
      { rel: "parent", href: collection, type: "application/json" },
      { rel: "collection", href: collection, type: "application/json" },
      { rel: "preview", href: `${collection}/items/${item.id}/preview.png`, type: "image/png" },
    ],
  };
}
