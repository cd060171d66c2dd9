/** The part of the decoder of `@cornerstonejs/codec-openjpeg` that is used. */
export interface J2KDecoder {
  /** Allocates memory for a codestream of this many bytes. */
  getEncodedBuffer(length: number): Uint8Array;
  /** Decodes with this many resolutions fewer, and all layers where `layers` is 0. Throws a number where that fails. */
  decodeSubResolution(reduction: number, layers: number): void;
  /** The samples, interleaved, one byte each up to 8 bits, else two. */
  getDecodedBuffer(): Uint8Array;
  getFrameInfo(): FrameInfo;
  delete(): void;
}

export interface FrameInfo {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: number;
  readonly componentCount: number;
  readonly isSigned: boolean;
}

/** An instance of the WebAssembly. */
export interface OpenJpeg {
  readonly J2KDecoder: new () => J2KDecoder;
  /** Its memory. */
  readonly HEAPU8: Uint8Array;
}

/** Options for making an instance, in Emscripten's names. */
export interface OpenJpegOptions {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
  print(line: string): void;
  printErr(line: string): void;
}

export type OpenJpegFactory = (options: OpenJpegOptions) => Promise<OpenJpeg>;

/** The decoder, ready to be instantiated. */
export interface OpenJpegModule {
  readonly factory: OpenJpegFactory;
  readonly compiled: WebAssembly.Module;
}
