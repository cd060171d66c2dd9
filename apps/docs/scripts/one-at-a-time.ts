import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

/** Connections that hold locks: one that is collected lets its lock go. */
const held: DatabaseSync[] = [];

/** Takes the lock; false where another process has it. The system lets it go when its holder ends, however that ends. */
function take(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && /locked/.test(error.message)) return false;
    throw error;
  }
}

/** Waits until no other process holds the folder; it is this one's until the process ends. */
export async function oneAtATime(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, "lock"));
  while (!take(database)) await wait(200);
  held.push(database);
}
