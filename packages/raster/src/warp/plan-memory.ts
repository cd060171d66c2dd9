import { SamplePool } from "../memory/sample-pool.ts";

/** Memory of the places that plans keep: a map tile needs 1 MB of it, and there are ever new ones. */
export const planMemory = new SamplePool(8 << 20, 4 << 20);
