import { SamplePool } from "./sample-pool.ts";

/** Memory of plans and their quads: a map tile needs 2 MB of it, and maps ask for ever new ones. */
export const planMemory = new SamplePool();
