import { indices } from "@swath/schema";

/** Ids of the indices, for descriptions. */
export const INDEX_IDS: string = indices.map(({ id }) => id).join(", ");
