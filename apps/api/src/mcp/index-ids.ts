import { indices } from "@swath/schema/presets";

/** Ids of the indices, for descriptions. */
export const INDEX_IDS: string = indices.map(({ id }) => id).join(", ");
