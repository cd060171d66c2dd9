/**
 * A scene that can never be read: its file is gone or is not a readable image. Retrying cannot help, so a mosaic
 * continues without it and names it. Thrown by `Scene.read`; any other error counts as passing and ends the mosaic.
 */
export class SceneUnreadableError extends Error {
  override readonly name = "SceneUnreadableError";
  readonly code = "scene-unreadable";
  readonly sceneId: string;

  constructor(sceneId: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.sceneId = sceneId;
  }
}

/** A read failed for a reason that may pass (time-out, broken connection). `cause` is the error of the read. */
export class SceneReadError extends Error {
  override readonly name = "SceneReadError";
  readonly code = "scene-read-failed";
  readonly sceneId: string;

  constructor(sceneId: string, cause: unknown) {
    super(`Scene "${sceneId}" could not be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.sceneId = sceneId;
  }
}

/** A scene gave pixels that do not fit those before it: another band count, sample type or size. */
export class SceneMismatchError extends Error {
  override readonly name = "SceneMismatchError";
  readonly code = "scene-mismatch";
  readonly sceneId: string;

  constructor(sceneId: string, message: string) {
    super(message);
    this.sceneId = sceneId;
  }
}

/** Values that a kernel or a table cannot work with: a class above 255, arrays of unequal length, a negative radius. */
export class MosaicInputError extends Error {
  override readonly name = "MosaicInputError";
  readonly code = "invalid-input";
}
