export { StyleError } from "./errors.ts";
export { COLORMAPS, colormap } from "./style/colormap.ts";
export { HILLSHADE_MARGIN, hillshade, type Sun } from "./style/hillshade.ts";
export type { Image } from "./style/image.ts";
export type { Range } from "./style/rescale.ts";
export { type Style, type StyleOptions, styleRaster } from "./style/style.ts";
