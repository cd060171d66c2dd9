import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

function isAlive(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch {
    return false;
  }
}

/** Takes the lock; false where a process that lives has it. */
function take(lock: string): boolean {
  try {
    mkdirSync(lock);
  } catch {
    let holder = 0;
    try {
      holder = Number(readFileSync(join(lock, "pid"), "utf8"));
    } catch {
      // it was taken just now, or let go
    }
    if (holder === 0 || isAlive(holder)) return false;
    rmSync(lock, { recursive: true, force: true });
    return take(lock);
  }
  writeFileSync(join(lock, "pid"), String(process.pid));
  process.once("exit", () => rmSync(lock, { recursive: true, force: true }));
  return true;
}

/** Waits until no other process holds the folder `lock`; it is this one's until the process ends. */
export async function oneAtATime(lock: string): Promise<void> {
  while (!take(lock)) await wait(200);
}
