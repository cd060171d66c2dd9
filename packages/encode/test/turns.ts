import { setImmediate as turn } from "node:timers/promises";

/** Lets everything else that is ready run so many times: whatever is going on besides, in no time of its own. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}
