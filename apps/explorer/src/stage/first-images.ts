import { effect } from "@preact/signals";
import { imageryOf } from "../map/imagery-of.ts";
import type { MapPort } from "../map/port.ts";
import { type PlacedTile, tilesInView } from "../map/tiles-in-view.ts";
import type { Explorer } from "../state/explorer.ts";

/** Time that the map's code waits for the first image, milliseconds: it keeps the processor busy for longer. */
const AHEAD_MS = 1000;

/** Resolves after the next frame is on the screen. */
const painted = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));

/**
 * The imagery of the opening view as plain images, above the map until it has drawn the same: they are seen while the map's
 * code is on its way. The map takes them from here, so that each is loaded once.
 */
export class FirstImages {
  /** Resolves with the first image in sight, or where there is none to wait for. */
  readonly first: Promise<void>;
  readonly #layer: HTMLElement;
  readonly #loads = new Map<string, Promise<Response>>();
  readonly #addresses: string[] = [];
  #isOver = false;
  #stopFollowing: () => void = () => {};

  private constructor(layer: HTMLElement, tiles: readonly PlacedTile[], load: (url: string) => Promise<Response>) {
    this.#layer = layer;
    const images = tiles.map(async (tile) => {
      const response = load(tile.url);
      this.#loads.set(tile.url, response);
      await this.#put(tile, (await response).clone());
    });
    const late = new Promise<void>((resolve) => setTimeout(resolve, tiles.length === 0 ? 0 : AHEAD_MS));
    // what fails is said by the map, which asks for it here
    this.first = Promise.race([Promise.any(images), late]).catch(() => late);
  }

  /** Loads what the view shows into `layer`, an empty element as large as the map's. */
  static of(explorer: Explorer, layer: HTMLElement): FirstImages {
    const { api, store, drawn, preset, collection, shown, canSee, right } = explorer;
    const { map: view, opacity, relief } = store.state;
    const imagery = imageryOf(api.base.href, drawn.peek(), preset.peek(), collection.peek(), shown.peek());
    const isPlain = opacity === 100 && relief !== true && right.peek() === undefined;
    const isKnown = canSee.peek() && imagery !== undefined && view !== undefined && isPlain;
    const tiles = isKnown ? tilesInView(imagery, view, [layer.clientWidth, layer.clientHeight]) : [];
    const images = new FirstImages(layer, tiles, (url) => api.send(url, { need: "images" }));
    if (imagery !== undefined) images.#endWith(explorer, imagery.tiles);
    return images;
  }

  /** Takes the answer of a request that is sent already, once; undefined where it is not. */
  take(url: string): Promise<Response> | undefined {
    const load = this.#loads.get(url);
    this.#loads.delete(url);
    return load;
  }

  /** Leaves the images to the map: they go when it has drawn its own, or moves. */
  leaveTo({ native }: MapPort): void {
    const end = (): void => this.end();
    native.once("idle", end);
    native.once("movestart", end);
  }

  end(): void {
    this.#isOver = true;
    this.#stopFollowing();
    this.#layer.replaceChildren();
    for (const address of this.#addresses) URL.revokeObjectURL(address);
    this.#addresses.length = 0;
  }

  /** Ends them as soon as the view shows something else. */
  #endWith({ api, drawn, preset, collection, shown, right }: Explorer, tiles: string): void {
    const stop = effect(() => {
      const imagery = imageryOf(api.base.href, drawn.value, preset.value, collection.value, shown.value);
      if (imagery?.tiles !== tiles || right.value !== undefined) this.end();
    });
    if (this.#isOver) stop();
    else this.#stopFollowing = stop;
  }

  async #put({ left, top, size }: PlacedTile, response: Response): Promise<void> {
    const blob = await response.blob();
    if (this.#isOver) return;
    const image = new Image();
    image.alt = "";
    image.src = URL.createObjectURL(blob);
    this.#addresses.push(image.src);
    // whole pixels, so that no gap is seen between two of them
    const [x, y] = [Math.round(left), Math.round(top)];
    const [width, height] = [Math.round(left + size) - x, Math.round(top + size) - y];
    Object.assign(image.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    await image.decode();
    if (this.#isOver) return;
    const isFirst = this.#layer.childElementCount === 0;
    this.#layer.append(image);
    if (!isFirst) return;
    await painted();
    performance.mark("first-imagery");
  }
}
