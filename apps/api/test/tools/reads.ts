import type { FileRead, SceneRead } from "@swath/engine/node/jobs";

/** A scene whose files are read as they are, everywhere. */
export function plainRead(
  id: string,
  files: readonly FileRead[],
  { resampling = "bilinear" }: Partial<Pick<SceneRead, "resampling">> = {},
): SceneRead {
  return { id, footprint: [], files, resampling, overviews: "display", validWhere: "every-file" };
}
