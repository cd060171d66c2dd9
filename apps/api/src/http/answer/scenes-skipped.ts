/** Scenes that one answer names; of the others it says how many there are. */
export const MAX_NAMED = 20;

/** Characters of ids as the interface has them. */
const PLAIN = /^[A-Za-z0-9_.\-~!*'()]+$/;

/** In the description of answers. */
export const SKIPPED_HEADER = {
  "X-Scenes-Skipped": {
    description: `Scenes that can't be read, left out: up to ${MAX_NAMED} ids, separated by commas, and then how many more, as \`+180 more\`.`,
    schema: { type: "string" },
  },
} as const;

/** The header that names scenes which were left out, each once; none where there are none. */
export function skippedHeader(ids: readonly string[]): { readonly "X-Scenes-Skipped"?: string } {
  const names = [...new Set(ids)];
  if (names.length === 0) return {};
  const more = names.length - MAX_NAMED;
  // an upstream's id may hold what a header, or a list in it, cannot
  const named = names.slice(0, MAX_NAMED).map((id) => (PLAIN.test(id) ? id : encodeURIComponent(id.toWellFormed())));
  return { "X-Scenes-Skipped": [...named, ...(more > 0 ? [`+${more} more`] : [])].join(",") };
}
