import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 250;

/** Whether another process runs. This one has no lock before it takes one: its id is that of a process that is gone. */
function runs(pid) {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes the lock of a process that is gone. Where another one has done so and has the lock now, it keeps it. */
function removeDead(file, text, aside) {
  try {
    renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes a lock, that of a process that is gone too. A file system without hard links guards nothing.
 *
 * @returns the id of the process that has it; undefined where this one has it now
 */
export function takeLock(file) {
  const own = `${file}.${process.pid}`;
  try {
    // linked when it is complete: nobody reads a lock that is half written
    writeFileSync(own, String(process.pid));
    for (;;) {
      try {
        linkSync(own, file);
        return undefined;
      } catch (error) {
        if (error.code !== "EEXIST") return undefined;
      }
      const text = readIfThere(file);
      if (text === undefined) continue;
      if (runs(Number(text))) return Number(text);
      removeDead(file, text, `${own}.dead`);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Gives a lock back that this process has. */
export function releaseLock(file) {
  if (readIfThere(file) === String(process.pid)) rmSync(file, { force: true });
}

/** Takes a lock, and waits for the process that has it, however long it does. */
export async function waitForLock(file, onWait) {
  for (let told; ; await pause(POLL_MS)) {
    const holder = takeLock(file);
    if (holder === undefined) return;
    if (holder !== told) onWait(holder);
    told = holder;
  }
}
