import { createHash } from "node:crypto";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { BlockRows, Sink } from "@swath/encode";
import type { PlannedFile } from "../job/extraction-files.ts";
import type { FileParts, SharedFiles, SharedSink } from "../parts.ts";
import { Refusal } from "../refusal.ts";
import { partsOf } from "../run/extract/extract.ts";
import type {
  ExtractedPart,
  Extraction,
  ExtractJob,
  ExtractOutcome,
  JoinedPart,
  UnreadableScene,
} from "../run/extract/extract-job.ts";
import { writeResult } from "../run/files/result-file.ts";
import { RENDER_VERSION, type Renderer } from "../run/job.ts";
import { errorOf, type Failure, failureOf } from "../run/threads/failure.ts";
import type { RunOptions } from "./prepared.ts";

/** A part that is made: JSON, and where its blocks are. */
export interface FilePart extends ExtractedPart {
  /** Its id in the result store. */
  readonly id: string;
}

/** Ends a file, or a part of one, that needs a scene that can never be read. */
export class SceneUnreadable extends Error {
  override readonly name = "SceneUnreadable";
  readonly scene: UnreadableScene;

  constructor(scene: UnreadableScene) {
    super(scene.reason);
    this.scene = scene;
  }
}

/** The file of an outcome. @throws {SceneUnreadable} where there is none. */
export function writtenOf(outcome: ExtractOutcome): Extraction {
  if (outcome.kind === "unreadable") throw new SceneUnreadable(outcome);
  return outcome as Extraction;
}

/** An error of a part as JSON. */
export function failureOfPart(error: unknown): unknown {
  return error instanceof SceneUnreadable ? error.scene : failureOf(error);
}

/** The error that {@link failureOfPart} has kept. */
export function errorOfPart(failure: unknown): Error {
  const kept = failure as UnreadableScene | Failure;
  return "kind" in kept ? new SceneUnreadable(kept) : errorOf(kept);
}

/** The file of a part in its folder. */
const BLOCKS = "part.blocks";
/** Share of the progress that goes to parts; the rest is joining them. */
const PARTS = 0.9;

interface Task {
  readonly job: PlannedFile["job"];
  readonly rows: readonly BlockRows[];
}

const written = (task: Task): string => serialize(task).toString("base64");
const read = (task: string): Task => deserialize(Buffer.from(task, "base64")) as Task;

/**
 * Makes a part of a large file, and publishes its blocks.
 *
 * @param task of the set
 * @param n number of the part, from 0
 * @throws {SceneUnreadable} where a scene can never be read; else what reading and writing throw.
 */
export async function makeFilePart(
  { renderer, files }: { readonly renderer: Pick<Renderer, "extract">; readonly files: SharedFiles },
  task: string,
  n: number,
  { signal }: Pick<RunOptions, "signal">,
): Promise<FilePart> {
  const { job, rows } = read(task);
  return writeResult(files, async ({ id, directory }) => {
    const whole: ExtractJob = { ...job, path: join(directory, BLOCKS), spoolDirectory: files.spoolDirectory };
    const outcome = await renderer.extract(whole, { signal, rows: rows[n]! });
    if (outcome.kind === "unreadable") throw new SceneUnreadable(outcome);
    await files.publish(id, BLOCKS);
    return { ...(outcome as ExtractedPart), id };
  });
}

/** A file that was put together of parts, and is published. */
export interface JoinedFile {
  readonly extraction: Extraction;
  /** Its id in the result store. */
  readonly id: string;
  /** The place of the file in a folder that has it. */
  readonly path: string;
}

/**
 * Writes a file by parts that all nodes make, and publishes it: no node holds the whole.
 *
 * @returns undefined for a file that is too small to be cut.
 * @throws {SceneUnreadable} where a scene can never be read; else what parts have thrown, reading and writing.
 */
export async function writeByParts(
  renderer: Pick<Renderer, "extract">,
  parts: FileParts,
  { job, filename }: PlannedFile,
  { signal, onProgress }: RunOptions,
): Promise<JoinedFile | undefined> {
  const rows = partsOf(job, parts.values);
  if (rows.length < 2) return undefined;
  const { files } = parts;
  const task = written({ job, rows });
  // another plan, or another release, makes other blocks
  const name = createHash("sha256").update(`${RENDER_VERSION} ${task}`).digest("hex").slice(0, 32);
  const progressOf = (from: number, share: number) => (done: number) => onProgress?.(from + share * done);
  try {
    const set = { name, task, count: rows.length };
    const made = (await parts.carryOut(set, { signal, onProgress: progressOf(0, PARTS) })) as readonly FilePart[];
    const opened: JoinedPart[] = [];
    for (const part of made) {
      const file = await files.find(part.id, BLOCKS);
      // with what the other parts have left it is removed: another try makes all of them
      if (file === undefined) {
        throw new Refusal("upstream-unavailable", [], "A part of the file is gone.", { retryAfter: 1 });
      }
      opened.push({ ...part, read: file.read });
    }
    return await writeResult(files, async ({ id, directory }) => {
      const path = join(directory, filename);
      const outcome = await renderer.extract(
        { ...job, path, spoolDirectory: files.spoolDirectory },
        {
          signal,
          onProgress: progressOf(PARTS, 1 - PARTS),
          join: { parts: opened, sink: sinkOf(await files.create(id, filename), made) },
        },
      );
      return { extraction: writtenOf(outcome), id, path };
    });
  } finally {
    await parts.forget(name, { signal });
  }
}

/** A sink that takes what parts hold from their files. */
function sinkOf(file: SharedSink, parts: readonly FilePart[]): Sink {
  const { write, copy, end, abort } = file;
  if (copy === undefined) return { write, end, abort };
  return { write, end, abort, copy: (part, position, length) => copy(parts[part]!.id, BLOCKS, position, length) };
}
