import type { Catalog, NeighbourhoodSearch } from "@swath/catalog";
import type { CollectionRegistry } from "@swath/schema";
import type { FileParts } from "./chain/file-parts.ts";
import type { AngleReader } from "./metadata/angle-reader.ts";
import type { SceneDocuments } from "./metadata/scene-documents.ts";
import type { ObservedGroups } from "./run/compute/observed-groups.ts";
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
