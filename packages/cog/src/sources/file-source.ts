import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { CogError } from "../errors.ts";
import { checkRange, type Source, type SourceReadOptions } from "./source.ts";

/** Milliseconds that a file stays open after its last read. */
const IDLE_MS = 5_000;

/** A local file. It is opened at the first read and closed when it has not been read for 5 s, or by `close`. */
export function fileSource(path: string): Source {
  return new FileSource(resolve(path));
}

class FileSource implements Source {
  readonly key: string;
  readonly #path: string;
  #opened: Promise<{ handle: FileHandle; size: number }> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading = 0;
  #version: string | undefined;
  #size: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.key = `file:${path}`;
  }

  get size(): number | undefined {
    return this.#size;
  }
  get version(): string | undefined {
    return this.#version;
  }

  async read(offset: number, length: number, options?: SourceReadOptions): Promise<Uint8Array> {
    options?.signal?.throwIfAborted();
    checkRange(offset, length);
    this.#reading++;
    clearTimeout(this.#timer);
    try {
      this.#opened ??= this.#open();
      const { handle, size } = await this.#opened;
      const wanted = Math.max(0, Math.min(length, size - offset));
      const bytes = options?.allocate?.(wanted) ?? Buffer.allocUnsafeSlow(wanted);
      let held = 0;
      while (held < wanted) {
        const { bytesRead } = await handle.read(bytes, held, wanted - held, offset + held);
        if (bytesRead === 0) break;
        held += bytesRead;
      }
      options?.signal?.throwIfAborted();
      return bytes.subarray(0, held);
    } catch (error) {
      if (options?.signal?.aborted) throw options.signal.reason;
      throw toCogError(error, this.#path);
    } finally {
      this.#reading--;
      if (this.#reading === 0 && this.#opened !== undefined) {
        this.#timer = setTimeout(() => void this.close(), IDLE_MS);
        this.#timer.unref();
      }
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const opened = this.#opened;
    this.#opened = undefined;
    const held = await opened?.catch(() => undefined);
    await held?.handle.close();
  }

  async #open(): Promise<{ handle: FileHandle; size: number }> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.#path, "r");
      const { size, mtimeMs, ino } = await handle.stat();
      const version = `${ino}-${size}-${mtimeMs}`;
      const changed = this.#version !== undefined && this.#version !== version;
      this.#version = version;
      this.#size = size;
      if (changed) throw new CogError("changed", `${this.#path} was replaced while it was read.`);
      return { handle, size };
    } catch (error) {
      this.#opened = undefined;
      await handle?.close();
      throw error;
    }
  }
}

function toCogError(error: unknown, path: string): CogError {
  if (error instanceof CogError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return new CogError("not-found", `${path}: no such file.`, { cause: error });
    case "EISDIR":
      return new CogError("not-a-tiff", `${path}: a directory.`, { cause: error });
    case "EACCES":
    case "EPERM":
      return new CogError("forbidden", `${path}: not readable.`, { cause: error });
    default:
      return new CogError("unavailable", `${path}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
  }
}
