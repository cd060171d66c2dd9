/**
 * How much a page counts in search, by how its place begins; the first that fits counts. What readers ask for stands before
 * what a package exports, before decisions, and before lists of what is tested.
 */
const WEIGHTS: readonly (readonly [place: string, weight: number])[] = [
  ["guides/", 2.5],
  ["tutorial", 2.5],
  ["operations", 2],
  ["concepts/", 2],
  ["errors/", 1],
  ["http-api", 1.2],
  ["examples/", 1],
  ["scale", 1],
  ["access", 1],
  ["licenses", 1],
  ["upgrading", 1.5],
  ["readme", 1],
  ["reference/", 0.4],
  ["packages/", 0.5],
];
const ELSEWHERE = 0.3;
/** A page's first heading says what the page is about. */
const TITLE_OF_PAGE = 1.5;

/** Words that questions have and no page is about. */
const STOP_WORDS = new Set(
  "a an and are can do does for from get how i in is it my of on the to use what where with".split(" "),
);

interface Section {
  /** Headings above the section's own. */
  readonly titles?: readonly string[];
}

/** Returns how search ranks the pages below `base` and which words it takes, as MiniSearch wants it. */
export const rankingOf = (base: string): object => ({
  boost: { title: 4, text: 2, titles: 1 },
  // short words mean themselves: "R" is no beginning of "reference", and "docker" is not "locked"
  prefix: (word: string): boolean => word.length > 2,
  fuzzy: (word: string): number | boolean => (word.length > 6 ? 0.2 : false),
  processTerm: (word: string): string | null => {
    const lower = word.toLowerCase();
    return STOP_WORDS.has(lower) ? null : lower;
  },
  boostDocument: (id: string, _word: string, section?: Section): number => {
    const place = id.slice(base.length);
    const weight = WEIGHTS.find(([start]) => place.startsWith(start))?.[1] ?? ELSEWHERE;
    return section?.titles?.length === 0 ? weight * TITLE_OF_PAGE : weight;
  },
});
