import { SamplePool } from "./sample-pool.ts";

/** Memory of plans and their quads: a map tile needs 2 MB of it, a block of an area 3, and there are ever new ones. */
export const planMemory = new SamplePool(8 << 20, 4 << 20);
