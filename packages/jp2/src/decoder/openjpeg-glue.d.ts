import type { OpenJpegFactory } from "./openjpeg.ts";

/** The JavaScript of the decoder as a module for browsers; `scripts/openjpeg.mjs` makes it when the package is built. */
declare const factory: OpenJpegFactory;
export default factory;
