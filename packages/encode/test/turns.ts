import { setImmediate as turn } from "node:timers/promises";

/** Lets everything else that is ready run this many times: whatever else goes on, and without waiting for a time. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}
