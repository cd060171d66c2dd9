import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sink, Spool } from "../geotiff/spool.ts";

/** Bytes copied at a time from a spool to the sink. */
const PIECE = 4 << 20;

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

/**
 * A sink that makes a file. Bytes go to a file beside it, which takes the name `path` at the end: readers see the whole
 * file or none, and an aborted one leaves nothing.
 */
export async function fileSink(path: string): Promise<Sink> {
  const partial = `${path}.${randomUUID()}.part`;
  const handle = await open(partial, "wx");
  let open_ = true;
  const close = async (): Promise<void> => {
    if (open_) await handle.close();
    open_ = false;
  };
  return {
    write: (bytes) => writeAll(handle, bytes),
    async end() {
      await close();
      await rename(partial, path);
    },
    async abort() {
      await close();
      await rm(partial, { force: true });
    },
  };
}

/**
 * Spools in files without a name in `directory` (default: the system's folder for temporary files). They are unlinked as
 * soon as they are open, so that not even a killed process leaves them behind.
 */
export function fileSpool(directory = tmpdir()): () => Promise<Spool> {
  return async () => {
    const path = join(directory, `swath-${randomUUID()}.spool`);
    const handle = await open(path, "wx+", 0o600);
    await rm(path, { force: true }).catch(() => {}); // where open files cannot be unlinked, close() removes it
    let size = 0;
    return {
      async append(parts) {
        for (const part of parts) size += part.length;
        const { bytesWritten } = await handle.writev([...parts]);
        let skip = bytesWritten;
        for (const part of parts) {
          if (skip < part.length) await writeAll(handle, part.subarray(skip));
          skip = Math.max(0, skip - part.length);
        }
      },
      async *pieces() {
        const length = Math.min(PIECE, size);
        const memory = [new Uint8Array(length), new Uint8Array(length)] as const;
        const read = (position: number, into: Uint8Array): ReturnType<typeof handle.read> =>
          handle.read(into, 0, into.length, position);
        // the next piece is read while this one is used
        let next = size === 0 ? undefined : read(0, memory[0]);
        try {
          for (let position = 0, i = 0; next !== undefined; i ^= 1) {
            const { bytesRead } = await next;
            if (bytesRead === 0) throw new Error(`The spool ended at byte ${position} of ${size}.`);
            position += bytesRead;
            next = position < size ? read(position, memory[i ^ 1]!) : undefined;
            yield memory[i]!.subarray(0, bytesRead);
          }
        } finally {
          // whoever leaves early closes the file
          await next?.catch(() => {});
        }
      },
      async close() {
        await handle.close();
        await rm(path, { force: true });
      },
    };
  };
}
