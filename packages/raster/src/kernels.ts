export {
  canLoadKernels,
  type KernelMemory,
  type Kernels,
  type WasmExports,
  type WasmModule,
  wasmKernels,
  wasmModule,
} from "./kernels/wasm-kernels.ts";
export { BufferFreeList, bufferSize } from "./memory/buffer-free-list.ts";
export { SamplePool } from "./memory/sample-pool.ts";
export type {} from "./platform-types.ts";
