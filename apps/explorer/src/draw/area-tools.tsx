import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Area } from "../geometry/area.ts";
import { useExplorer } from "../state/explorer.ts";
import { useOnMap } from "../state/use-on-map.ts";
import { CornerFields } from "./corner-fields.tsx";
import { areaOfShape, type SketchKind } from "./shapes.ts";
import type { SketchState } from "./sketch.ts";
import { SketchKeys } from "./sketch-keys.tsx";
import { TypedPolygon } from "./typed-polygon.tsx";
import { useSketch } from "./use-sketch.ts";

const TITLES = { box: "Draw a box", polygon: "Draw a polygon" } as const;

function hintOf(state: SketchState | undefined, hasArea: boolean, purpose: string): string {
  const corners = state?.corners.length ?? 0;
  if (state?.isEdited === true)
    return "Drag a corner, or the middle of a side. A right click takes a corner away. Escape ends.";
  if (state?.kind === "box") {
    return corners === 0
      ? "Drag over the map, or click two corners. By keyboard: arrow keys move the map, Space sets a corner. Escape cancels."
      : "Now the opposite corner.";
  }
  if (state?.kind === "polygon") {
    return corners < 3
      ? "Click the corners of the polygon. By keyboard: arrow keys move the map, Space sets a corner. Escape cancels."
      : "Click the first corner, or press Enter, to close the polygon.";
  }
  return hasArea ? "" : `Choose an area to ${purpose}.`;
}

interface AreaToolsProps {
  /** The tool's name: its fields have ids of their own. */
  readonly name: string;
  readonly isActive: boolean;
  /** The purpose of the area: "extract". */
  readonly purpose: string;
  /** Told when drawing begins and ends. */
  readonly onDrawing?: (isDrawing: boolean) => void;
}

/** Chooses the area of the view: drawn on the map, the box in view, or typed. All tools that take an area use it. */
export function AreaTools({ name, isActive, purpose, onDrawing }: AreaToolsProps): JSX.Element {
  const { store, isAiming } = useExplorer();
  const onMap = useOnMap();
  const setArea = (area: Area | undefined): void => store.set({ area });
  const { sketch, open } = useSketch(isActive, (kind, corners) => setArea(areaOfShape(kind, corners)));
  const state = sketch?.state.value;
  const area = store.view.area.value;
  const isDrawing = state?.kind !== undefined;
  useEffect(() => onDrawing?.(isDrawing), [isDrawing, onDrawing]);
  useEffect(() => {
    isAiming.value = isDrawing;
  }, [isAiming, isDrawing]);
  const put = (next: Area | undefined): void => {
    onMap(undefined);
    sketch?.stop();
    setArea(next);
  };
  // where a key has pressed the button, the next keys are for the map
  const start = (kind: "box" | "polygon", isByKey: boolean): void =>
    onMap((map) => {
      void open().then((opened) => opened?.start(kind));
      if (isByKey) map.focus();
    });
  const draws = (kind: SketchKind): boolean => state?.kind === kind && !state.isEdited;
  return (
    <>
      <div class="row wrap">
        {(["box", "polygon"] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={draws(kind)}
            onClick={(event) => {
              if (draws(kind)) sketch?.stop();
              else start(kind, event.detail === 0);
            }}
          >
            {TITLES[kind]}
          </button>
        ))}
        <button type="button" onClick={() => onMap(({ bbox }) => put({ kind: "box", bbox: bbox.peek() }))}>
          Use the view
        </button>
        {area?.kind === "polygon" && (
          <button
            type="button"
            aria-pressed={state?.isEdited === true}
            onClick={() =>
              state?.isEdited === true
                ? sketch?.stop()
                : onMap(() => void open().then((opened) => opened?.edit("polygon", area.corners)))
            }
          >
            Move corners
          </button>
        )}
        <button type="button" hidden={area === undefined} onClick={() => put(undefined)}>
          Clear
        </button>
      </div>
      <p class="quiet" role="status">
        {hintOf(state, area !== undefined, purpose)}
      </p>
      {sketch !== undefined && isDrawing && state?.isEdited !== true && <SketchKeys sketch={sketch} />}
      <CornerFields name={name} area={area} onArea={put} />
      <TypedPolygon name={name} area={area} onArea={put} />
    </>
  );
}
