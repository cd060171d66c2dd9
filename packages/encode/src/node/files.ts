import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sink, Spool } from "../geotiff/file/spool.ts";

/** Part of a name that no file has; if one has, it is not overwritten (`wx`). Node's crypto module would take 2 MB of memory. */
function uniqueName(): string {
  return `${process.pid.toString(36)}${Math.random().toString(36).slice(2)}`;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/**
 * A sink that makes a file. Bytes are written to a temporary file beside it, which is renamed to `path` at the end: readers see the whole
 * file or none, and nothing remains of an aborted one.
 */
export async function fileSink(path: string): Promise<Sink> {
  const partial = `${path}.${uniqueName()}.part`;
  const handle = await open(partial, "wx");
  let size = 0;
  let open_ = true;
  const close = async (): Promise<void> => {
    if (open_) await handle.close();
    open_ = false;
  };
  return {
    async write(bytes) {
      const position = size;
      size += bytes.length;
      await writeAll(handle, bytes, position);
    },
    writeAt: (bytes, position) => writeAll(handle, bytes, position),
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
 * soon as they are open, so that they do not outlive a killed process.
 */
export function fileSpool(directory = tmpdir()): () => Promise<Spool> {
  return async () => {
    const path = join(directory, `swath-${uniqueName()}.spool`);
    const handle = await open(path, "wx+", 0o600);
    await rm(path, { force: true }).catch(() => {}); // where open files cannot be unlinked, close() removes it
    let size = 0;
    return {
      async append(parts) {
        const start = size;
        for (const part of parts) size += part.length;
        const { bytesWritten } = await handle.writev([...parts], start);
        let skip = bytesWritten;
        let position = start;
        for (const part of parts) {
          const written = Math.min(skip, part.length);
          if (written < part.length) await writeAll(handle, part.subarray(written), position + written);
          skip -= written;
          position += part.length;
        }
      },
      async read(position, into) {
        for (let done = 0; done < into.length; ) {
          const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
          if (bytesRead === 0) throw new Error(`The spool ended at byte ${position + done} of ${size}.`);
          done += bytesRead;
        }
      },
      shrink: (to) => handle.truncate(to),
      async close() {
        await handle.close();
        await rm(path, { force: true });
      },
    };
  };
}
