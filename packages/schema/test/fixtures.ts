import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of recorded documents made elsewhere; tests that need it are skipped without it. */
export const fixtures = process.env.SWATH_FIXTURES;

/** Folder of published JSON Schemas; tests that need it are skipped without it. */
export const schemas = process.env.SWATH_SCHEMAS;

export interface UpstreamItem {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, UpstreamAsset>>;
}

interface UpstreamAsset {
  readonly href: string;
  readonly type?: string;
  readonly gsd?: number;
  readonly "eo:bands"?: readonly { name?: string; common_name?: string; center_wavelength?: number }[];
  readonly "raster:bands"?: readonly { nodata?: number; data_type?: string; scale?: number; offset?: number }[];
  readonly "classification:bitfields"?: readonly { name: string; offset: number; length: number }[];
}

export function fixtureText(...path: string[]): string {
  return readFileSync(join(fixtures ?? "", ...path), "utf8");
}

/** Items of a recorded item, list of items or search answer. */
export function fixtureItems(...path: string[]): UpstreamItem[] {
  const document = JSON.parse(fixtureText(...path)) as { features?: UpstreamItem[] } & UpstreamItem;
  return document.features ?? [document];
}
