export { Calculation } from "./calculation.ts";
export { Alias, toAlias } from "./collection/alias.ts";
export { Band, toBand } from "./collection/band.ts";
export type {} from "./platform-types.ts";
export { DataType, MaskSource, PseudoBand } from "./vocabulary.ts";
