import type { DEFINITIONS, REFUSED } from "./epsg-data.ts";

/** The reason why the transform of an EPSG code would not be right to a metre. */
export type CrsRefusal = "unknown-code" | keyof typeof REFUSED;

/** Definitions of EPSG codes that are loaded when one is needed. */
export interface EpsgTable {
  /** The proj4 definition, or why there is none. */
  find(code: number): { readonly definition: string } | { readonly refusal: CrsRefusal };
}

/** Reads the text of the data (`epsg-data.ts`) into a table. */
export function readEpsgTable(data: { DEFINITIONS: typeof DEFINITIONS; REFUSED: typeof REFUSED }): EpsgTable {
  const definitions = new Map<number, readonly [own: string, shared: string]>();
  for (const group of data.DEFINITIONS.split("|")) {
    const [shared = "", ...lines] = group.split(";");
    let code = 0;
    for (const line of lines) {
      const space = line.indexOf(" ");
      code += Number(line.slice(0, space));
      definitions.set(code, [line.slice(space + 1), shared]);
    }
  }
  const refusals = new Map<number, CrsRefusal>();
  for (const [refusal, differences] of Object.entries(data.REFUSED) as [CrsRefusal, string][]) {
    let code = 0;
    for (const difference of differences.split(" ")) {
      code += Number(difference);
      refusals.set(code, refusal);
    }
  }
  return {
    find(code) {
      const found = definitions.get(code);
      if (found === undefined) return { refusal: refusals.get(code) ?? "unknown-code" };
      const [own, shared] = found;
      return { definition: `+proj=${own} ${shared} no_defs`.replaceAll(/ (?=\S)/g, " +") };
    },
  };
}

/** The meaning of each refusal, for messages. */
export const REFUSAL_TEXT: Readonly<Record<CrsRefusal, string>> = {
  "unknown-code": "is no code of a two-dimensional CRS that is known",
  "needs-grid-file": "needs a grid file for its shift to WGS 84",
  "no-datum-shift": "has a datum without one shift to WGS 84 that is right to a metre over its area of use",
  "projection-not-supported": "has a projection or an order of axes that is not supported",
};
