import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const SHARED_MEMORY = "/dev/shm";

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize > 1e9;
  } catch {
    return false;
  }
}

/** Folder of databases that tests write: in memory where the system has one with space, so that no commit waits for a disk. */
export const memoryFolder = hasSpace() ? SHARED_MEMORY : tmpdir();
