import { createHash } from "node:crypto";
import { mapLimited } from "@swath/http";
import { hashKey, planKey } from "@swath/mosaic";
import { formatDatetime, type Interval } from "@swath/query";
import { tileBbox, tileGrid } from "@swath/raster";
import { attributionFor, type CollectionRegistry, type CollectionSchema } from "@swath/schema";
import { LRUCache } from "lru-cache";
import { MAX_TILE_SCENES, planMosaic } from "../../job/image-plan.ts";
import type { EngineParts } from "../../parts.ts";
import { bandsRead } from "../../read/recipe-bands.ts";
import { Refusal } from "../../refusal.ts";
import type { TileRequest } from "../../request.ts";
import type { ImageCache } from "../../run/image/image-cache.ts";
import { type ParentJob, RENDER_VERSION, type RenderedImage, type TileJob } from "../../run/job.ts";
import { cloudFilter } from "../../when/scene-walk.ts";
import { isSettledFor, withDays } from "../../when/time-window.ts";
import type { PlannedImage } from "./images.ts";
import { scenesOfMosaic } from "./mosaic-scenes.ts";
import { readTileSet, type TileSet } from "./tile-set.ts";

/** The parts of the engine that make tiles of low zooms. */
export interface LowZoomOptions
  extends Pick<EngineParts, "catalog" | "tileScenes" | "registry" | "sceneDocuments" | "renderer" | "now"> {
  /** Where finished tiles are kept; shared with other nodes and restarts, or they are made again. */
  readonly images: ImageCache;
  /** Whether nothing may be read now: tiles are made of what is there, and no more are begun. */
  readonly isHeld?: () => boolean;
  /** Told of a tile whose making has failed; it is tried again a minute later at the earliest. */
  readonly onFault?: (error: unknown) => void;
}

interface Place {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The tiles of a preset in a window, and the name of all of them. */
interface LowMap extends TileSet {
  readonly name: string;
}

interface Ask {
  readonly name: string;
  readonly tiles: LowMap;
  readonly place: Place;
}

/** A tile as it is now: whole, or of what has been made of it. */
interface Known {
  readonly image: RenderedImage | undefined;
  readonly isWhole: boolean;
}

/** Scenes of a tile of the lowest zoom: as many as usual, then those that gaps need. */
const USUAL_SCENES = MAX_TILE_SCENES;
const MORE_SCENES = [250, 1000] as const;
/** Levels below a tile that is not whole in which its parts are looked for: 84 tiles at most, whatever was made elsewhere. */
const SHOWN_BELOW = 3;
/** Tiles that are asked for and not whole yet, and how many of them are made at a time. */
const MAX_ASKED = 64;
const LANES = 2;
/** Maps (a preset of a collection in a window) that are begun in a day: each reads scenes of all the world, which its owner pays. */
const MAPS_A_DAY = 24;
/** Tiles of scenes that are made side by side: each waits for files most of its time. */
const MOST_AT_ONCE = 8;
/** Tiles that are remembered to have a part: those of some whole maps. */
const MAX_BEGUN = 50_000;
const REST_MS = 60_000;
const DAY_MS = 86_400_000;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/**
 * Tiles below the lowest zoom that a preset reads scenes for. Each is made of the four below it, down to those of that zoom,
 * which are of all scenes that they need; so a map is the same on both sides of it. What is asked for and not there is made in
 * the background and kept; until then the answer is of what there is.
 *
 * They are of a preset's own window, up to the last midnight (UTC), or of a month: each other window would read all scenes anew.
 */
export class LowZooms {
  readonly #options: LowZoomOptions;
  readonly #waiting = new Map<string, Ask>();
  /** Tiles that are being made, those that others need too. */
  readonly #making = new Map<string, Promise<RenderedImage>>();
  readonly #lanes = new Set<Promise<void>>();
  #empty: Promise<RenderedImage> | undefined;
  /** Tiles of which a part has been made here, until they are whole. */
  readonly #begun = new LRUCache<string, true>({ max: MAX_BEGUN });
  /** The time from which a tile may be tried again, by its key. */
  readonly #rests = new Map<string, number>();
  /** Maps that were begun on a day. */
  readonly #maps = { day: 0, names: new Set<string>() };
  readonly #closing = new AbortController();

  constructor(options: LowZoomOptions) {
    this.#options = options;
  }

  /** Whether a request's tiles have low zooms. */
  draws({ when: { time, filter }, what }: Pick<TileRequest, "when" | "what">): boolean {
    const isPreset = what.preset !== undefined && what.bands === undefined && what.expression === undefined;
    return isPreset && filter === undefined && (time === undefined || isMonth(time));
  }

  /** Plans a tile of a zoom below the preset's lowest one, of what is there, and begins to make the rest. No scene is read. */
  async plan(request: TileRequest, { signal }: { readonly signal: AbortSignal }): Promise<PlannedImage> {
    const { now, registry } = this.#options;
    const { where, into } = request;
    const midnight = new Date(Math.floor(now().getTime() / DAY_MS) * DAY_MS);
    const tiles = readMap(registry, request, midnight);
    const earlier = readMap(registry, request, new Date(midnight.getTime() - DAY_MS));
    const { size = 256 } = where;
    const own = size === 256 ? await this.#find(tiles, where) : undefined;
    const known =
      own === undefined ? await this.#below(tiles, where, SHOWN_BELOW, signal) : [{ image: own, isWhole: true }];
    let isWhole = known.every((each) => each.isWhole);
    let parts = known.map(({ image }) => image);
    if (!isWhole && (await this.#isBelowEmpty(tiles, where))) {
      isWhole = true;
      parts = [];
    }
    if (!isWhole) {
      this.#ask(tiles, where);
      const before = parts.some((part) => part !== undefined) ? undefined : await this.#find(earlier, where);
      if (before !== undefined) parts = [before];
    }
    const job: ParentJob = {
      kind: "parent",
      parts: parts.map((part) => part && partOf(part)),
      size,
      format: into.format,
    };
    const key = keyOf(tiles, where, parts, job);
    const { collection, window } = tiles;
    return {
      plan: { job, key, etag: `"r${RENDER_VERSION}-${hashKey(key)}"`, missing: [] },
      collection,
      bands: bandsRead(tiles),
      items: [],
      attribution: creditOf(collection, window),
      window,
      isSettled: isWhole && isSettledFor(window, now()),
      ...(isWhole ? {} : { isFilling: true }),
    };
  }

  /** Resolves when nothing is being made. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
  }

  /** Ends what is being made; tiles that are whole stay. */
  async close(): Promise<void> {
    this.#waiting.clear();
    this.#closing.abort(new Error("The tiles of low zooms are closed."));
    await this.idle();
  }

  #find(tiles: LowMap, place: Place): Promise<RenderedImage | undefined> {
    return this.#options.images.recall(nameOf(tiles, place));
  }

  /** Whether a tile shows nothing because one above it does. */
  async #isBelowEmpty(tiles: LowMap, place: Place): Promise<boolean> {
    const above: Place[] = [];
    for (let next = parentOf(place); next.z >= 0; next = parentOf(next)) above.push(next);
    const found = await Promise.all(above.map((each) => this.#find(tiles, each)));
    return found.some((image) => image?.used.length === 0);
  }

  /** The four tiles below one, as they are now. */
  #below(tiles: LowMap, place: Place, levels: number, signal: AbortSignal): Promise<Known[]> {
    return Promise.all(childrenOf(place).map((child) => this.#known(tiles, child, levels - 1, signal)));
  }

  /** A tile as it is now; a part of it is looked for so many levels below. */
  async #known(tiles: LowMap, place: Place, levels: number, signal: AbortSignal): Promise<Known> {
    const image = await this.#find(tiles, place);
    if (image !== undefined) return { image, isWhole: true };
    const hasParts = levels > 0 && place.z < tiles.minzoom && this.#begun.has(nameOf(tiles, place));
    if (!hasParts) return { image: undefined, isWhole: false };
    const parts = (await this.#below(tiles, place, levels, signal)).map((part) => part.image);
    if (parts.every((part) => part === undefined)) return { image: undefined, isWhole: false };
    return { image: await this.#parent(parts, signal), isWhole: false };
  }

  #parent(parts: readonly (RenderedImage | undefined)[], signal: AbortSignal): Promise<RenderedImage> {
    const job: ParentJob = {
      kind: "parent",
      parts: parts.map((part) => part && partOf(part)),
      size: 256,
      format: "png",
    };
    return this.#options.renderer.render(job, { signal });
  }

  #ask(tiles: LowMap, { z, x, y }: Place): void {
    const name = nameOf(tiles, { z, x, y });
    const isKnown = this.#waiting.has(name) || this.#making.has(name);
    if (this.#closing.signal.aborted || isKnown || this.#waiting.size >= MAX_ASKED) return;
    if ((this.#rests.get(name) ?? 0) > this.#options.now().getTime() || !this.#mayBegin(tiles)) return;
    this.#waiting.set(name, { name, tiles, place: { z, x, y } });
    if (this.#lanes.size >= LANES) return;
    const lane: Promise<void> = this.#fill().finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  #mayBegin(tiles: LowMap): boolean {
    const day = Math.floor(this.#options.now().getTime() / DAY_MS);
    if (this.#maps.day !== day) {
      this.#maps.day = day;
      this.#maps.names.clear();
    }
    const { names } = this.#maps;
    const { name } = tiles;
    if (!names.has(name) && names.size >= MAPS_A_DAY) return false;
    names.add(name);
    return true;
  }

  /** Makes what is asked for, the smallest first. */
  async #fill(): Promise<void> {
    for (;;) {
      const [next] = [...this.#waiting.values()].sort((a, b) => b.place.z - a.place.z);
      if (next === undefined) return;
      this.#waiting.delete(next.name);
      try {
        await this.#make(next.tiles, next.place);
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.#rest(next.name);
        this.#options.onFault?.(error);
      }
    }
  }

  #rest(name: string): void {
    const now = this.#options.now().getTime();
    for (const [each, until] of this.#rests) if (until <= now) this.#rests.delete(each);
    this.#rests.set(name, now + REST_MS);
  }

  #make(tiles: LowMap, place: Place): Promise<RenderedImage> {
    const name = nameOf(tiles, place);
    const made = this.#making.get(name) ?? this.#makeOnce(name, tiles, place).finally(() => this.#making.delete(name));
    this.#making.set(name, made);
    return made;
  }

  async #makeOnce(name: string, tiles: LowMap, place: Place): Promise<RenderedImage> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const known = await this.#find(tiles, place);
    if (known !== undefined) return known;
    const image = (await this.#makeOfScenes(tiles, place)) ?? (await this.#makeEmpty());
    this.#options.images.keep(name, image);
    this.#begun.delete(name);
    for (let above = parentOf(place); above.z >= 0; above = parentOf(above))
      this.#begun.set(nameOf(tiles, above), true);
    return image;
  }

  /** A tile of the scenes there are; undefined where there are none. */
  async #makeOfScenes(tiles: LowMap, place: Place): Promise<RenderedImage | undefined> {
    if (place.z >= tiles.minzoom) return this.#makeLowest(tiles, place);
    return (await this.#hasScenes(tiles, place)) ? this.#makeOfFour(tiles, place) : undefined;
  }

  async #makeOfFour(tiles: LowMap, place: Place): Promise<RenderedImage> {
    const { signal } = this.#closing;
    const children = childrenOf(place);
    const levels = tiles.minzoom - place.z;
    if (levels <= 2) {
      const lowest = levels === 1 ? children : children.flatMap(childrenOf);
      await mapLimited(lowest, MOST_AT_ONCE, (each) => this.#make(tiles, each));
    }
    const parts: RenderedImage[] = [];
    // another node that makes the same begins elsewhere, and each finds what the other has made
    const first = Math.floor(Math.random() * 4);
    for (const i of [0, 1, 2, 3].map((step) => (first + step) % 4)) parts[i] = await this.#make(tiles, children[i]!);
    return parts.every(({ used }) => used.length === 0) ? this.#makeEmpty() : this.#parent(parts, signal);
  }

  /** A tile of nothing, which all of them are. */
  #makeEmpty(): Promise<RenderedImage> {
    this.#empty ??= this.#parent([], this.#closing.signal);
    return this.#empty;
  }

  /** A tile of scenes: of more and more of them until it has no gap that another one fills; undefined where there are none. */
  async #makeLowest(tiles: LowMap, { z, x, y }: Place): Promise<RenderedImage | undefined> {
    if (this.#options.isHeld?.() === true) throw new Refusal("upstream-unavailable", [], "Nothing is read at present.");
    const { signal } = this.#closing;
    const view = { bbox: tileBbox(tiles.set, z, x, y), grid: tileGrid(tiles.set, z, x, y) };
    const scenes = await scenesOfMosaic(this.#options, tiles, view, { signal });
    const jobOf = (most: number): TileJob => planMosaic(tiles, scenes, view.grid, "png", most).job;
    if (scenes.missing !== undefined) throw new Refusal("upstream-unavailable", [], "An upstream does not answer.");
    if (scenes.items.length === 0) return undefined;
    let image = await this.#options.renderer.render(jobOf(USUAL_SCENES), { signal });
    for (const most of MORE_SCENES) {
      if (image.truncated) image = await this.#options.renderer.render(jobOf(most), { signal });
    }
    // scenes that can never be read leave their pixels to the next ones
    const { unread: _, ...whole } = image;
    return { ...whole, skipped: [] };
  }

  async #hasScenes({ set, collection, preset, window }: LowMap, { z, x, y }: Place): Promise<boolean> {
    const filter = cloudFilter(preset.maxCloudCoverage);
    const query = {
      collections: [collection.id],
      bbox: tileBbox(set, z, x, y),
      datetime: window,
      sortby: [],
      limit: 1,
      ...(filter === undefined ? {} : { filter }),
    };
    const page = await this.#options.catalog.search(query, { signal: this.#closing.signal });
    if (page.missing !== undefined) throw new Refusal("upstream-unavailable", [], "An upstream does not answer.");
    return page.items.length > 0 || page.next !== undefined;
  }
}

/** Whether a time is a month of the calendar: `2024-06`, or its first and last day. */
function isMonth(time: TileRequest["when"]["time"]): boolean {
  if (typeof time !== "string") return false;
  const month = time.slice(0, 7);
  return MONTH.test(month) && withDays(time) === withDays(month);
}

const childrenOf = ({ z, x, y }: Place): readonly Place[] =>
  [0, 1, 2, 3].map((i) => ({ z: z + 1, x: 2 * x + (i % 2), y: 2 * y + Math.floor(i / 2) }));

const parentOf = ({ z, x, y }: Place): Place => ({ z: z - 1, x: Math.floor(x / 2), y: Math.floor(y / 2) });

const partOf = ({ bytes, used, truncated }: RenderedImage): ParentJob["parts"][number] => ({ bytes, used, truncated });

/** The name under which a whole tile is kept. */
const nameOf = ({ name }: LowMap, { z, x, y }: Place): string => `low ${name} ${z}/${x}/${y}`;

/** Reads the map of a request on a day, and names it by all that decides which scenes it shows and how. */
function readMap(registry: CollectionRegistry, request: TileRequest, midnight: Date): LowMap {
  const tiles = readTileSet(registry, request, midnight);
  const { preset, collection, recipe, set, window } = tiles;
  // scenes may still come into a window that has not ended
  const day = isSettledFor(window, midnight) ? undefined : midnight.getTime();
  const plan = { preset, collection: collection.id, recipe, set, window: formatDatetime(window), day };
  return { ...tiles, name: hashOf(planKey(plan as never)) };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The key of an image by what it is made of. */
function keyOf(
  tiles: LowMap,
  place: Place,
  parts: readonly (RenderedImage | undefined)[],
  { size, format }: Pick<ParentJob, "size" | "format">,
): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part === undefined ? "-" : part.bytes).update("\n");
  return `${nameOf(tiles, place)} ${size} ${format} ${hash.digest("hex")}`;
}

/** The credit line of all years of a window: of each member of a virtual collection. */
function creditOf({ virtual, attribution }: CollectionSchema, { start, end }: Interval): string {
  const yearOf = (nanoseconds: bigint): number => new Date(Number(nanoseconds / 1_000_000n)).getUTCFullYear();
  const [from, to] = [start, end].map((each) => (each === undefined ? undefined : yearOf(each.nanoseconds)));
  const years = from === undefined || to === undefined ? [] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const lines = virtual?.members.map((member) => member.attribution) ?? [attribution];
  return [...new Set(lines)].map((line) => attributionFor({ attribution: line }, years)).join("; ");
}
