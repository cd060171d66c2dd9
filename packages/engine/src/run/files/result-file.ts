import { dirname, sep } from "node:path";
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
 * @throws {Refusal} `upstream-unavailable` when the disk is full, and where folders of results cannot be written; else
 *   what `write` throws.
 */
export async function writeResult<T>(results: Folders, write: (place: Place) => Promise<T>): Promise<T> {
  const place = await results.allocate().catch((error: unknown) => {
    throw isOfSystem(error) ? unwritable(error) : error;
  });
  try {
    return await write(place);
  } catch (error) {
    // what cannot be removed now is removed with old results: the caller gets the first fault
    await results.remove(place.id).catch(() => {});
    throw isOfSystem(error) && isOfPlace(error, place) ? unwritable(error) : error;
  }
}

/** Whether an error is one of the system, such as `ENOTDIR`. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && /^E[A-Z\d]+$/.test((error as NodeJS.ErrnoException).code ?? "");

const FULL: readonly unknown[] = ["ENOSPC", "EDQUOT"];

/** Whether a fault is one of writing: of a full disk, or of the folder of results, in which blocks wait too. */
function isOfPlace({ code, path }: NodeJS.ErrnoException, { directory }: Place): boolean {
  return FULL.includes(code) || path?.startsWith(dirname(directory) + sep) === true;
}

function unwritable(cause: NodeJS.ErrnoException): Refusal {
  const detail = FULL.includes(cause.code)
    ? "The service has no room left for output files."
    : "The service cannot write output files now.";
  return new Refusal("upstream-unavailable", [], detail, { retryAfter: 60, cause });
}
