import { CogError } from "@swath/cog";
import type { FrameInfo, OpenJpeg, OpenJpegModule, OpenJpegOptions } from "./openjpeg.ts";

/** The image that a codestream should hold. */
export interface Expected {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bits: number;
  readonly signed: boolean;
}

/** Decodes codestreams, one at a time. */
export interface Decoder {
  /**
   * Decodes a codestream at a resolution with `reduction` decomposition levels fewer.
   *
   * @param copy takes the samples, which are interleaved, bytes up to 8 bits, else 16-bit words; they are the decoder's own
   * @returns what `copy` gives
   * @throws {CogError} `corrupt`
   */
  decode<T>(
    codestream: Uint8Array,
    reduction: number,
    expected: Expected,
    copy: (samples: Uint8Array) => T,
  ): Promise<T>;
}

/** Memory of the WebAssembly does not shrink: above this it is given back, and taken anew. */
const MAX_MEMORY = 96 << 20;
/** Messages that OpenJPEG prints about damage. An unknown marker is no damage: OpenJPEG skips it. */
const DAMAGE = /^\[(ERROR|WARNING)\] (?!Unknown marker)/;
/** Messages that are kept for an error. */
const MAX_MESSAGES = 3;

let loading: Promise<Decoder> | undefined;

/**
 * Loads the decoder when it is first needed, once per thread. A load that fails is forgotten.
 *
 * @throws {CogError} `codec-unavailable`: the file is not at fault
 */
export function loadDecoder(): Promise<Decoder> {
  loading ??= createDecoder().catch((cause: unknown) => {
    loading = undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CogError("codec-unavailable", `The decoder of JPEG 2000 could not be loaded: ${reason}`, { cause });
  });
  return loading;
}

async function createDecoder(): Promise<Decoder> {
  const { loadOpenJpeg } = await import("#openjpeg");
  const decoder = new InstanceDecoder(await loadOpenJpeg());
  await decoder.instantiate();
  return decoder;
}

class InstanceDecoder implements Decoder {
  readonly #module: OpenJpegModule;
  #instance: Promise<OpenJpeg> | undefined;
  /** Messages of OpenJPEG about the codestream that it decodes. */
  readonly #messages: string[] = [];

  constructor(module: OpenJpegModule) {
    this.#module = module;
  }

  /** An instance, compiled once and made again after a fault. */
  instantiate(): Promise<OpenJpeg> {
    const { factory, compiled } = this.#module;
    const print = (line: string): void => {
      if (DAMAGE.test(line) && this.#messages.length < MAX_MESSAGES) this.#messages.push(line.slice(0, 200));
    };
    this.#instance ??= new Promise<OpenJpeg>((resolve, reject) => {
      const instantiateWasm: OpenJpegOptions["instantiateWasm"] = (imports, receive) => {
        WebAssembly.instantiate(compiled, imports).then(receive).catch(reject);
        return {};
      };
      factory({ instantiateWasm, print, printErr: print }).then(resolve, reject);
    }).catch((cause: unknown) => {
      this.#instance = undefined;
      throw new CogError("codec-unavailable", "The decoder of JPEG 2000 could not be instantiated.", { cause });
    });
    return this.#instance;
  }

  async decode<T>(
    codestream: Uint8Array,
    reduction: number,
    expected: Expected,
    copy: (samples: Uint8Array) => T,
  ): Promise<T> {
    const instance = await this.instantiate();
    this.#messages.length = 0;
    try {
      const decoder = new instance.J2KDecoder();
      decoder.getEncodedBuffer(codestream.length).set(codestream);
      decoder.decodeSubResolution(reduction, 0);
      const samples = decoder.getDecodedBuffer();
      this.#check(decoder.getFrameInfo(), samples.length, expected);
      const copied = copy(samples);
      decoder.delete();
      if (instance.HEAPU8.length > MAX_MEMORY) this.#instance = undefined;
      return copied;
    } catch (error) {
      // its memory may be damaged, and what it worked on is not freed
      this.#instance = undefined;
      if (error instanceof CogError) throw error;
      const reason = this.#messages.join(" ") || (error instanceof Error ? error.message : "OpenJPEG refuses it");
      throw new CogError("corrupt", `A JPEG 2000 tile does not decode: ${reason}`, { cause: error });
    }
  }

  #check({ bitsPerSample, componentCount, isSigned }: FrameInfo, length: number, expected: Expected): void {
    const { width, height, components, bits, signed } = expected;
    const size = width * height * components * (bits > 8 ? 2 : 1);
    const isAlike = bitsPerSample === bits && componentCount === components && isSigned === signed;
    // it reports damage that it goes on after, with samples that are wrong
    if (this.#messages.length === 0 && isAlike && length === size) return;
    const reason = this.#messages.join(" ") || `expected ${size} bytes of samples, got ${length}.`;
    throw new CogError("corrupt", `A JPEG 2000 tile does not decode: ${reason}`);
  }
}
