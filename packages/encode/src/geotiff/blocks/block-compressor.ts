import { bytesPerSample, type Samples } from "@swath/raster";
import type { EncodeContext } from "../../context.ts";
import type { Settings } from "../options.ts";
import { coverage, fillBlock, fillMask, maskBytes, nodataWord, predict } from "./block.ts";
import type { BlockPixelsTask } from "./block-task.ts";
import type { LevelPart } from "./level-part.ts";
import type { PeakMemory } from "./peak-memory.ts";
import type { EncodedBlock } from "./scheduler.ts";

/** Compresses blocks on this thread by the deflate of the settings, any interleaving. */
export class BlockCompressor {
  readonly #settings: Settings;
  readonly #context: EncodeContext;
  readonly #memory: PeakMemory;
  /** Compressed blocks that hold nothing but nodata, by width and size: they are all the same. */
  readonly #empty = new Map<string, Promise<Uint8Array>>();

  constructor(settings: Settings, context: EncodeContext, memory: PeakMemory) {
    this.#settings = settings;
    this.#context = context;
    this.#memory = memory;
  }

  /** The pixels are read before this returns its promise. */
  compress(task: BlockPixelsTask, part: LevelPart, isWritten: boolean): Promise<EncodedBlock> {
    if (!isWritten) return Promise.resolve({ planes: [] });
    const { interleave, nodata, mask, sparse, sampleType } = this.#settings;
    const { blockWidth, blockHeight, width, height } = task;
    const shape = { stride: part.stride, columns: width, rows: height, blockWidth, blockHeight };
    const covered = nodata === undefined ? 2 : coverage(part.valid, shape);
    const planes = interleave === "band" ? part.bands.map((band) => [band]) : [part.bands];
    if (covered === 0 && sparse) return Promise.resolve({ planes: planes.map(() => undefined) });
    const word = nodata === undefined || covered === 2 ? undefined : nodataWord(sampleType, nodata);
    const buffers = planes.map((bands) => {
      const raw = new Uint8Array(
        this.#memory.take(blockWidth * blockHeight * bands.length * bytesPerSample(sampleType)),
      );
      fillBlock(raw, bands, part.valid, shape, word);
      return { raw, bands };
    });
    if (!mask) return this.#finish(buffers, task, covered === 0);
    const raw = new Uint8Array(this.#memory.take(maskBytes(blockWidth, blockHeight)));
    fillMask(raw, part.valid, shape);
    return this.#finish([{ raw, bands: [] }, ...buffers], task, false);
  }

  /** @param buffers planes of bands; that of a mask has none */
  async #finish(
    buffers: readonly { readonly raw: Uint8Array; readonly bands: readonly Samples[] }[],
    { blockWidth }: BlockPixelsTask,
    isEmpty: boolean,
  ): Promise<EncodedBlock> {
    const planes: Uint8Array[] = [];
    let held = 0;
    for (const { raw, bands } of buffers) {
      const compress = (): Promise<Uint8Array> => this.#deflated(raw, blockWidth, bands.length);
      const bytes = await (isEmpty ? this.#emptyBlock(`${blockWidth} ${raw.length}`, compress) : compress());
      if (bytes !== raw) held += bytes.buffer.byteLength;
      planes.push(bytes);
    }
    this.#memory.hold(held);
    return {
      planes,
      release: () => {
        this.#memory.release(held);
        for (const { raw } of buffers) this.#memory.releaseBuffer(raw.buffer);
      },
    };
  }

  #deflated(raw: Uint8Array, blockWidth: number, stride: number): Promise<Uint8Array> {
    const { predictor, sampleType, compression, level, deflate } = this.#settings;
    const encoding = { predictor, bytesPerSample: bytesPerSample(sampleType), rowLength: blockWidth * stride, stride };
    if (stride > 0) predict(this.#context, raw, encoding);
    return compression === "deflate" ? deflate(raw, level) : Promise.resolve(raw);
  }

  #emptyBlock(key: string, compress: () => Promise<Uint8Array>): Promise<Uint8Array> {
    let bytes = this.#empty.get(key);
    if (bytes === undefined) {
      bytes = compress().then((compressed) => compressed.slice());
      this.#empty.set(key, bytes);
    }
    return bytes;
  }
}
