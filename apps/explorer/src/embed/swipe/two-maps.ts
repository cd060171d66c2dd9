import type { ReadonlySignal } from "@preact/signals";
import type { Problem } from "../../api/api-error.ts";
import type { OpenMap } from "../../map/maplibre/map.ts";
import type { SecondMap } from "../../map/maplibre/second-map.ts";
import type { MapPort } from "../../map/port.ts";
import type { MapView } from "../../view/view.ts";
import type { TileSets } from "./tile-sets.ts";

/** A map and another one over it, right of a border. */
export class TwoMaps {
  readonly #first: MapPort;
  readonly #second: SecondMap;

  private constructor(first: MapPort, second: SecondMap) {
    this.#first = first;
    this.#second = second;
  }

  /** @param onProblem - called where an image could not be loaded, and with nothing when all are */
  static async open(options: OpenMap, onProblem: (problem: Problem | undefined) => void): Promise<TwoMaps> {
    const [{ openMap }, { coverMap }] = await Promise.all([
      import("../../map/maplibre/map.ts"),
      import("../../map/maplibre/second-map.ts"),
    ]);
    const first = await openMap(options);
    first.on("error", (problem) => {
      if (problem.status !== 404) onProblem(problem);
    });
    first.on("whole", () => onProblem(undefined));
    return new TwoMaps(first, coverMap({ first: first.native, keeps: () => true, onProblem }));
  }

  /** Whether the right image is on its way. */
  get isLoading(): ReadonlySignal<boolean> {
    return this.#second.isLoading;
  }

  get view(): ReadonlySignal<MapView> {
    return this.#first.view;
  }

  show({ left, right }: Pick<TileSets, "left" | "right">): void {
    this.#first.showImagery(left);
    this.#second.show(right);
  }

  jumpTo(view: MapView): void {
    this.#first.jumpTo(view);
  }

  remove(): void {
    this.#second.remove();
    this.#first.remove();
  }
}
