import { Refusal } from "../../refusal.ts";

/** A folder for one file. */
interface Place {
  readonly id: string;
  readonly directory: string;
}

/** Gives each file a folder of its own, and removes it. */
interface Folders {
  allocate(): Promise<Place>;
  remove(id: string): Promise<void>;
}

/**
 * Writes a file in a folder of its own. Where that fails, or is aborted, the folder is removed with what is in it.
 *
 * @throws {Refusal} `upstream-unavailable` when the disk is full; else what `write` throws.
 */
export async function writeResult<T>(results: Folders, write: (place: Place) => Promise<T>): Promise<T> {
  const place = await results.allocate();
  try {
    return await write(place);
  } catch (error) {
    await results.remove(place.id);
    throw isDiskFull(error) ? diskFull(error) : error;
  }
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT";
}

function diskFull(cause: unknown): Refusal {
  return new Refusal("upstream-unavailable", [], "The service has no room left for output files.", {
    retryAfter: 60,
    cause,
  });
}
