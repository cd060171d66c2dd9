import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

function json(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(root, ...path), "utf8"));
}

/** The text of `src/registry/generated.ts`: the collection and preset files as a module, which bundlers take. */
export function generatedModule(): string {
  const { order, virtual } = json("collections.json") as Record<"order" | "virtual", string[]>;
  const filesOf = (ids: readonly string[]): string => {
    const files = ids.map((id) => {
      const { $schema: _, ...file } = json("collections", `${id}.json`) as Record<string, unknown>;
      return file;
    });
    return JSON.stringify(files, null, 2);
  };
  return `// Written by \`pnpm run generate\` from collections.json, collections/*.json and presets.json. Do not edit.
import type { CollectionFile } from "../file/collection-file.ts";
import type { VirtualCollectionFile } from "../file/virtual-file.ts";
import type { PresetFile } from "../preset/preset.ts";

export const BUILT_IN_IDS = ${JSON.stringify(order)} as const;

/** The built-in collections as data, in the order that GET /v1/collections lists them. */
export const COLLECTION_FILES: readonly CollectionFile[] = ${filesOf(order)};

/** The built-in collections of the items of others. */
export const VIRTUAL_FILES: readonly VirtualCollectionFile[] = ${filesOf(virtual)};

/** The built-in presets as their file has them. */
export const PRESET_FILES: readonly PresetFile[] = ${JSON.stringify(json("presets.json"), null, 2)};
`;
}

/** The text of `src/preset/generated.ts`: the file of indices as a module, in one literal, which loads faster than 229 objects. */
export function generatedIndices(): string {
  return `// Written by \`pnpm run generate\` from indices.json. Do not edit.
import type { IndexSchema } from "./index-schema.ts";

/** The indices of Awesome Spectral Indices (MIT licence, David Montero Loaiza and contributors) besides the common ones. */
export const LISTED_INDICES: readonly IndexSchema[] = JSON.parse(
  ${JSON.stringify(JSON.stringify(json("indices.json")))},
);
`;
}

/** The text of `src/upstreams/generated.ts`: the files of kinds of upstreams as a module. */
export function generatedUpstreams(): string {
  const names = readdirSync(join(root, "upstreams")).sort();
  const files = names.map((name) => {
    const { $schema: _, ...file } = json("upstreams", name) as Record<string, unknown>;
    return file;
  });
  return `// Written by \`pnpm run generate\` from upstreams/*.json. Do not edit.
import type { UpstreamKindFile } from "../file/upstream-kind-file.ts";

/** The built-in kinds of upstreams, by id. */
export const UPSTREAM_KIND_FILES: readonly UpstreamKindFile[] = ${JSON.stringify(files, null, 2)};
`;
}
