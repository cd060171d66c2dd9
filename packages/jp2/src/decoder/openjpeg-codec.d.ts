/** OpenJPEG as WebAssembly, which has no declarations of its own. */
declare module "@cornerstonejs/codec-openjpeg/decodewasmjs" {
  const factory: import("./openjpeg.ts").OpenJpegFactory;
  export default factory;
}
