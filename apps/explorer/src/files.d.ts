declare module "*.css";

declare module "*.css?inline" {
  const text: string;
  export default text;
}

/** Address of the service that the static build was given, empty where none was; undefined in the page that a service serves. */
declare const STATIC_SERVICE: string | undefined;

declare module "virtual:land" {
  /** Address of the file of land outlines. */
  const url: string;
  export default url;
}

declare module "*?url" {
  const url: string;
  export default url;
}

declare module "virtual:labels" {
  /** Address of the file of names and borders. */
  const url: string;
  export default url;
}

declare module "virtual:places" {
  /** Address of the file of places that can be searched. */
  const url: string;
  export default url;
}

/** The package has no types of its own; these are of what is used. */
declare module "gifenc" {
  /** Red, green and blue, 0 to 255. */
  type Color = [number, number, number];
  interface Encoder {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: readonly Color[]; readonly delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  export function GIFEncoder(): Encoder;
  /** @param pixels - red, green, blue, alpha of each pixel */
  export function quantize(pixels: Uint8Array | Uint8ClampedArray, colors: number): Color[];
  export function applyPalette(pixels: Uint8Array | Uint8ClampedArray, palette: readonly Color[]): Uint8Array;
}
