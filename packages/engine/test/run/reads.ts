import type { FileRead, SceneRead } from "../../src/run/scene/scene-read.ts";

/** A scene whose files are read as they are, everywhere. */
export function plainRead(
  id: string,
  files: readonly FileRead[],
  { resampling = "bilinear" }: Partial<Pick<SceneRead, "resampling">> = {},
): SceneRead {
  return { id, footprint: [], files, resampling, overviews: "display", validWhere: "every-file" };
}
