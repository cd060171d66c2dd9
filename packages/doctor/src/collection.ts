import type { Catalog, Item, ItemPage } from "@swath/catalog";
import { type RasterFile, readWindow } from "@swath/cog";
import { assetFile, type CredentialName, type FileAddress } from "@swath/engine/files";
import { DEFAULT_SORTBY, type ItemQuery } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { upstreamCollections } from "@swath/schema/upstreams";
import type { StepName, StepReport } from "./report.ts";
import { type Examination, Finding, skipped, takeStep } from "./step.ts";
import { fileWords, type UpstreamPlace, upstreamWords } from "./words.ts";

/** The parts of a program that read documents and files of an upstream: they are what is tried. */
export interface Opened {
  readonly catalog: Catalog;
  /** Opens a file of an item. */
  openFile(address: FileAddress, signal: AbortSignal): Promise<RasterFile>;
  /** Describes a key or token that does not work; default: the message of the error. */
  credentialDetail?(credential: CredentialName): string | undefined;
}

/** The tools for examining a collection. */
export interface CollectionTools extends Examination {
  readonly opened: Opened;
  readonly place: UpstreamPlace;
}

/** Requests of each step at most: an answer, another try, and what some upstreams are asked before. */
const REQUESTS: Readonly<Record<Exclude<StepName, "landing-page" | "bands">, number>> = {
  search: 6,
  "second-page": 3,
  item: 2,
  header: 5,
  block: 4,
};
const NOT_FOUND = "The search has given no item.";

/** Asks one collection step by step, in the order of its callers; a step that hangs on a failed one is not taken. */
export class CollectionExamination {
  readonly collection: CollectionSchema;
  readonly #tools: CollectionTools;
  readonly #steps = new Map<StepName, StepReport>();
  #page: ItemPage | undefined;

  constructor(collection: CollectionSchema, tools: CollectionTools) {
    this.collection = collection;
    this.#tools = tools;
  }

  /** The steps that were taken, by name. */
  get steps(): ReadonlyMap<StepName, StepReport> {
    return this.#steps;
  }

  /** Whether its search has more than one page. */
  get hasNext(): boolean {
    return this.#page?.next !== undefined;
  }

  get #item(): Item | undefined {
    return this.#page?.items[0];
  }

  /** One search, and the bands of the item that it gives. */
  async search(): Promise<void> {
    const { report, answer } = await takeStep(this.#tools, {
      step: "search",
      requests: REQUESTS.search,
      attempt: (signal) => this.#firstPage(signal),
      words: this.#upstreamWords,
    });
    this.#page = answer;
    this.#steps.set("search", report);
    const item = this.#item;
    this.#steps.set("bands", item === undefined ? skipped("bands", NOT_FOUND) : this.#bandsOf(item));
  }

  async item(): Promise<void> {
    const item = this.#item;
    if (item === undefined) return this.#skip("item", NOT_FOUND);
    const { report } = await takeStep(this.#tools, {
      step: "item",
      requests: REQUESTS.item,
      attempt: async (signal) => {
        const found = await this.#tools.opened.catalog.item(item.collection, item.id, { signal });
        if (found?.id === item.id) return;
        const detail = `The upstream has no item ${item.id} at its own address, although its search gives it.`;
        throw new Finding(detail, "Ask the archive: its search and its items do not agree.");
      },
      words: this.#upstreamWords,
    });
    this.#steps.set("item", report);
  }

  async secondPage(): Promise<void> {
    const page = this.#page;
    if (page === undefined) return this.#skip("second-page", NOT_FOUND);
    const { next } = page;
    if (next === undefined) {
      this.#steps.set("second-page", {
        ...skipped("second-page", "The search has one page."),
        status: "ok",
        found: "one page",
      });
      return;
    }
    const { report } = await takeStep(this.#tools, {
      step: "second-page",
      requests: REQUESTS["second-page"],
      attempt: async (signal) => {
        const second = await this.#tools.opened.catalog.search({ ...this.#query(), token: next }, { signal });
        const before = new Set(page.items.map(({ id }) => id));
        if (!second.items.some(({ id }) => before.has(id))) return;
        const detail = "The second page has an item of the first one.";
        throw new Finding(detail, `Does \`paging\` of its kind of upstream say how ${this.#tools.place.host} pages?`);
      },
      words: this.#upstreamWords,
    });
    this.#steps.set("second-page", report);
  }

  /** The header of one file, and one block of its pixels at full resolution. */
  async file(): Promise<void> {
    const address = this.#file();
    if (address === undefined) {
      const why = this.#item === undefined ? NOT_FOUND : "No file to read was found.";
      this.#skip("header", why);
      this.#skip("block", why);
      return;
    }
    const { opened, place } = this.#tools;
    const words = (error: unknown) => fileWords(error, place.settings, opened.credentialDetail);
    const header = await takeStep(this.#tools, {
      step: "header",
      requests: REQUESTS.header,
      attempt: async (signal) => opened.openFile(address, signal),
      words,
    });
    this.#steps.set("header", header.report);
    const file = header.answer;
    if (file === undefined) return this.#skip("block", "The header could not be read.");
    const block = await takeStep(this.#tools, {
      step: "block",
      requests: REQUESTS.block,
      attempt: (signal) => readMiddle(file, signal),
      words,
    });
    const isThere = block.report.status === "ok" && block.report.requests === 0 && header.report.requests > 0;
    this.#steps.set("block", isThere ? { ...block.report, found: "with header" } : block.report);
  }

  readonly #upstreamWords = (error: unknown) => upstreamWords(error, this.#tools.place, this.#tools.bounded.lastStatus);

  #skip(step: StepName, why: string): void {
    this.#steps.set(step, skipped(step, why));
  }

  #query(): ItemQuery {
    return { collections: [this.collection.id], sortby: DEFAULT_SORTBY, limit: 1 };
  }

  async #firstPage(signal: AbortSignal): Promise<ItemPage> {
    const { place } = this.#tools;
    const { catalog } = this.#tools.opened;
    const page = await catalog.search(this.#query(), { signal });
    if (page.items.length > 0) return page;
    const names = upstreamCollections(this.collection.upstream).join(", ");
    if (!(await catalog.has(this.collection.id, { signal }))) {
      const detail = `The upstream has no collection ${names}.`;
      const advice = `Is the address in ${place.settings.address(place.name)} the archive that the collection file means, and its \`upstream.collection\` the name there? If the upstream need not have it, name what is to be checked.`;
      throw new Finding(detail, advice);
    }
    const detail = `The upstream has ${names}, but none of its items is one of this collection.`;
    throw new Finding(
      detail,
      "Do `upstream.idPatterns` and `platforms` of the collection file fit the items of this upstream?",
    );
  }

  #bandsOf(item: Item): StepReport {
    const { bands } = this.collection;
    const found = bands.filter(({ name }) => item.assets[name]?.["svc:band"] !== undefined).length;
    const base = { step: "bands" as const, requests: 0, ms: 0, bytes: 0 };
    if (found === 0) {
      const advice = "Look whether `upstream.assets` of the collection file has the keys of its assets.";
      return { ...base, status: "failed", detail: this.#tools.plain(`No band is found in ${item.id}.`), advice };
    }
    return { ...base, status: "ok", found: `${found} of ${bands.length}` };
  }

  /** The file of the first band that the item has. */
  #file(): FileAddress | undefined {
    const item = this.#item;
    if (item === undefined || this.#steps.get("bands")?.status !== "ok") return undefined;
    const name = this.collection.bands.find((band) => item.assets[band.name]?.["svc:band"] !== undefined)?.name;
    return name === undefined ? undefined : assetFile(item, name);
  }
}

/** Reads the block in the middle, at full resolution. */
async function readMiddle(file: RasterFile, signal: AbortSignal): Promise<void> {
  const [level] = file.levels;
  if (level === undefined) return;
  const { width, height } = level;
  await readWindow(file, 0, { x: width >> 1, y: height >> 1, width: 1, height: 1 }, { bands: [0], signal });
}
