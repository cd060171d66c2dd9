import type { Catalog, NeighbourhoodSearch } from "@swath/catalog";
import type { Sink } from "@swath/encode";
import type { CollectionRegistry } from "@swath/schema";
import type { RunOptions } from "./chain/prepared.ts";
import type { AngleReader } from "./metadata/angle-reader.ts";
import type { SceneDocuments } from "./metadata/scene-documents.ts";
import type { ObservedGroups } from "./run/compute/observed-groups.ts";
import type { JoinedPart } from "./run/extract/extract-job.ts";
import type { ImageCache } from "./run/image/image-cache.ts";
import type { Renderer } from "./run/job.ts";

/** The parts that the engine is made of. */
export interface EngineParts {
  /** The collections that can be asked for. */
  readonly registry: CollectionRegistry;
  readonly catalog: Catalog;
  /** Scenes for map tiles, searched once for a neighbourhood of tiles. */
  readonly tileScenes: NeighbourhoodSearch;
  readonly renderer: Renderer;
  /** Finished images; absent: none is kept. */
  readonly images?: ImageCache;
  /** Angles of scenes, read where a level of harmonization needs them. */
  readonly angles: AngleReader;
  /** Documents of scenes that hold factors; absent: no collection here has such. */
  readonly sceneDocuments?: SceneDocuments;
  /** Numbers that were read before; absent: each request reads its own. */
  readonly observed?: ObservedGroups;
  /** The folders that files are written into. */
  readonly results: ResultFolders;
  /** Makes large files in parts, on all nodes; absent: this one makes the whole. */
  readonly fileParts?: FileParts;
  readonly now: () => Date;
}

/** Gives each file a folder of its own, and removes what is no longer wanted. */
export interface ResultFolders {
  /** Folder for what waits to be written; it is emptied by the system when its writer ends. */
  readonly spoolDirectory: string;
  allocate(): Promise<{ readonly id: string; readonly directory: string }>;
  /** Deletes a folder of `allocate` with its file. */
  remove(id: string): Promise<void>;
}

/** Published files that all nodes read. */
export interface SharedFiles extends ResultFolders {
  /** Publishes a complete file of a folder of `allocate`. */
  publish(id: string, file: string): Promise<void>;
  /** A published file, of which `read` fills `into` with the bytes from `position` on. */
  find(id: string, file: string): Promise<Pick<JoinedPart, "read"> | undefined>;
  /** Takes a file of a folder of `allocate` from front to back; it is published when it ends, and this machine does not hold it. */
  create(id: string, file: string): Promise<SharedSink>;
}

/** Takes a file from front to back. */
export interface SharedSink extends Pick<Sink, "write" | "end" | "abort"> {
  /** Takes bytes of a published file as the next ones. Absent: they are read and written. */
  copy?(id: string, file: string, position: number, length: number): Promise<void>;
}

/** Carries out the parts of large files, on all nodes. */
export interface FileParts {
  /** Values (pixels × bands) that a part has at least. */
  readonly values: number;
  readonly files: SharedFiles;
  /**
   * Carries out all parts of a set, which go on where they were when a set of the same name is begun again.
   *
   * @param task is given to `makeFilePart` with the number of each part.
   * @returns what it returned, in the order of the parts.
   */
  carryOut(
    set: { readonly name: string; readonly task: string; readonly count: number },
    options: RunOptions,
  ): Promise<readonly unknown[]>;
  /** Ends a set, and removes what its parts have left, unless the signal has ended the work for another to go on with. */
  forget(name: string, options: Pick<RunOptions, "signal">): Promise<void>;
}
