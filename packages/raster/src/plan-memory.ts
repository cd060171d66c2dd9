import { SamplePool } from "./sample-pool.ts";

/** Memory of plans and their quads: a map tile needs 2 MB of it, a strip of a large area 24, and there are ever new ones. */
export const planMemory = new SamplePool(40 << 20, 32 << 20);
