import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";
import { LEAST_CORNERS } from "./shapes.ts";
import type { Sketch } from "./sketch.ts";

/** Draws without a pointer: sets corners in the centre of the map, takes them back, and ends the shape. */
export function SketchKeys({ sketch }: { readonly sketch: Sketch }): JSX.Element | null {
  const centre = useExplorer().map.value?.view.value;
  const { kind, corners } = sketch.state.value;
  if (kind === undefined || centre === undefined) return null;
  return (
    <div class="row wrap">
      <button type="button" class="small" onClick={() => sketch.add([centre.lon, centre.lat])}>
        Add the centre
      </button>
      <button type="button" class="small" disabled={corners.length === 0} onClick={() => sketch.undo()}>
        Take the last back
      </button>
      <button
        type="button"
        class="small"
        disabled={corners.length < LEAST_CORNERS[kind]}
        onClick={() => sketch.finish()}
      >
        Finish
      </button>
    </div>
  );
}
