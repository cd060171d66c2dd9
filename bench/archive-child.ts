// Opens a folder of items as the service does, searches it in rounds, and prints what that cost as JSON.
// `archiveSearches` runs it: node --conditions=@swath/source --expose-gc bench/archive-child.ts FOLDER DATA_DIRECTORY ROUNDS
import { openArchiveOf } from "../apps/api/src/open/own-archive.ts";
import { createNeighbourhoodSearch } from "../packages/catalog/src/index.ts";
import { type ItemQuery, parseCql2Text, parseDatetime } from "../packages/query/src/index.ts";
import { itemId, random } from "./data/item-folder.ts";
import { cpuNow, summarize } from "./measure.ts";

/** The costs of a folder. */
export interface ArchiveCosts {
  /** Milliseconds of CPU until the folder can be searched. */
  readonly opening: number;
  /** Resident bytes more than before. */
  readonly memory: number;
  readonly searches: readonly {
    readonly name: string;
    /** Milliseconds of CPU of a search, the median of the rounds. */
    readonly cpu: number;
    /** Items that match, on average. */
    readonly matched: number;
  }[];
}

const SEARCHES = 25;
const collections = ["sentinel-2-l2a"];
const byCloud = [{ field: "eo:cloud_cover", direction: "asc" as const }];
const next = random(11);

function resident(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

const box = (side: number): readonly [number, number, number, number] => {
  const [west, south] = [next() * 350 - 175, next() * 130 - 65];
  return [west, south, west + side, south + side];
};
const time = (days: number) => {
  const start = Date.UTC(2016, 0, 1) + Math.floor(next() * 3e11);
  return parseDatetime(`${new Date(start).toISOString()}/${new Date(start + days * 86_400_000).toISOString()}`);
};
/** No two are equal, so that no search is answered by the matches of another. */
const lessCloud = () => parseCql2Text(`eo:cloud_cover < ${10 - next() / 1000}`);

const [folder = "", dataDir = "", asked = "0"] = process.argv.slice(2);
const rounds = Number(asked);
const before = resident();
const start = cpuNow();
const archive = await openArchiveOf({
  archive: { path: folder, pollSeconds: 0 },
  dataDir,
  upstreams: {},
  profile: "full",
});
const opening = cpuNow() - start;
if (archive === undefined) throw new Error("Expected an archive.");
const memory = resident() - before;
const { catalog } = archive;
const scenes = createNeighbourhoodSearch(catalog);

const found = async (query: Omit<ItemQuery, "collections" | "limit" | "sortby"> & Partial<ItemQuery>) =>
  (await catalog.search({ collections, limit: 10, sortby: [], ...query })).numberMatched ?? 0;
let secondPage: Partial<ItemQuery> = {};

const kinds: Readonly<Record<string, () => Promise<number>>> = {
  "a box of 1° and a month": () => found({ bbox: box(1), datetime: time(30) }),
  "a box of 1° alone": () => found({ bbox: box(1) }),
  "a day alone": () => found({ datetime: time(1) }),
  "ten ids": () => found({ ids: Array.from({ length: 10 }, () => itemId(Math.floor(next() * catalog.size))) }),
  "`eo:cloud_cover < 10`, by cloud cover": async () => {
    const query = { collections, limit: 10, sortby: byCloud, filter: lessCloud() };
    const page = await catalog.search(query);
    secondPage = { ...query, ...(page.next === undefined ? {} : { token: page.next }) };
    return page.numberMatched ?? 0;
  },
  "page 2 of that": () => found(secondPage),
  "the scenes of a tile, a year": async () => {
    const bbox = box(360 / 2 ** 14);
    const request = { collection: "sentinel-2-l2a", bbox, datetime: time(365), mosaickingOrder: "mostRecent" } as const;
    return (await scenes.search(request)).items.length;
  },
};

const searches: ArchiveCosts["searches"][number][] = [];
if (rounds > 0) {
  const begun = cpuNow();
  const matched = await found({ ids: [itemId(0)], sortby: byCloud });
  searches.push({ name: "the first by cloud cover, of one id", cpu: cpuNow() - begun, matched });
  const costs = Object.keys(kinds).map((name) => ({ name, cpu: [] as number[], matched: 0 }));
  for (let round = -1; round < rounds; round++) {
    for (const cost of costs) {
      const begun = cpuNow();
      let sum = 0;
      for (let i = 0; i < SEARCHES; i++) sum += (await kinds[cost.name]?.()) ?? 0;
      if (round < 0) continue;
      cost.cpu.push((cpuNow() - begun) / SEARCHES);
      cost.matched += sum / SEARCHES / rounds;
    }
  }
  for (const { name, cpu, matched } of costs) searches.push({ name, cpu: summarize(cpu).median, matched });
}
archive.close();
console.log(JSON.stringify({ opening, memory, searches } satisfies ArchiveCosts));
