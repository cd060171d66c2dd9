/** Number types of samples, named as numpy and STAC name them. */
export type SampleType = "int8" | "uint8" | "int16" | "uint16" | "int32" | "uint32" | "float32" | "float64";

/** Sample values of one band; the array class says the type. */
export type Samples =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

const ARRAYS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const satisfies Record<
  SampleType,
  { new (length: number): Samples; new (buffer: ArrayBuffer, at: number, length: number): Samples }
>;

const TYPES = new Map<unknown, SampleType>(
  (Object.keys(ARRAYS) as SampleType[]).map((type) => [ARRAYS[type] as unknown, type]),
);

/** The type of an array's samples. @throws {TypeError} for an array of another class, such as BigInt64Array. */
export function sampleTypeOf(samples: Samples): SampleType {
  const type = TYPES.get(samples.constructor);
  if (type === undefined) throw new TypeError(`Expected an array of samples, got ${samples.constructor.name}.`);
  return type;
}

/** `length` samples, all 0. */
export function allocateSamples(type: SampleType, length: number): Samples {
  return new ARRAYS[type](length);
}

/** `length` samples of a buffer, from byte `at` on, which is a multiple of their size. */
export function viewSamples(type: SampleType, buffer: ArrayBufferLike, length: number, at = 0): Samples {
  return new ARRAYS[type](buffer as ArrayBuffer, at, length);
}

/** Bytes of one sample: 1, 2, 4 or 8. */
export function bytesPerSample(type: SampleType): number {
  return ARRAYS[type].BYTES_PER_ELEMENT;
}
