import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { checkFile } from "@swath/engine/node/files";

/** A JSON object of which nothing is known. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A document that is not taken; the message says why, without its path. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code = "document";
}

/**
 * Opens a regular file of the folder.
 *
 * @throws {CogError} `not-found` for links, pipes, devices and what is not there.
 */
export async function openFile(directory: string, path: string): Promise<FileHandle> {
  await checkFile(directory, path);
  // never waits for the other end of a pipe, and never follows a link that took the file's place
  const handle = await open(join(directory, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat();
  if (stats.isFile()) return handle;
  await handle.close();
  throw new DocumentError("no regular file");
}

/**
 * Reads a JSON document.
 *
 * @param maxBytes a longer document is not read.
 * @throws {DocumentError} for what is too long or not JSON; {CogError} as `openFile`.
 */
export async function readJson(directory: string, path: string, maxBytes: number): Promise<unknown> {
  const handle = await openFile(directory, path);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new DocumentError(`expected at most ${maxBytes} bytes, got ${size}`);
    const text = await handle.readFile("utf8");
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof SyntaxError) throw new DocumentError(`not JSON: ${error.message.slice(0, 120)}`);
    throw error;
  } finally {
    await handle.close();
  }
}
