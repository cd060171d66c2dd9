import { headerList } from "@swath/web/answers";

/** Scenes that one answer names; of the others it says how many there are. */
export const MAX_NAMED = 20;

/** In the description of answers. */
export const SKIPPED_HEADER = {
  "X-Scenes-Skipped": {
    description: `Scenes that can't be read, left out: up to ${MAX_NAMED} ids, separated by commas, and then how many more, as \`+180 more\`.`,
    schema: { type: "string" },
  },
} as const;

/** The header that names scenes which were left out, each once; none where there are none. */
export function skippedHeader(ids: readonly string[]): { readonly "X-Scenes-Skipped"?: string } {
  const named = headerList(ids, MAX_NAMED);
  return named === undefined ? {} : { "X-Scenes-Skipped": named };
}
