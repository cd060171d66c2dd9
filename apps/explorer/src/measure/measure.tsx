import "./measure.css";
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { SketchKeys } from "../draw/sketch-keys.tsx";
import { useSketch } from "../draw/use-sketch.ts";
import type { Point } from "../geometry/area.ts";
import { areaOf, areaText, lengthOf, lengthText } from "../geometry/geodesic.ts";
import { useOnMap } from "../state/use-on-map.ts";
import type { ToolProps } from "../tool.ts";

type MeasureKind = "line" | "polygon";

interface Measured {
  readonly kind: MeasureKind;
  readonly corners: readonly Point[];
}

const TITLES: Readonly<Record<MeasureKind, string>> = { line: "Distance", polygon: "Area" };

/** Describes the length of a line, or the area and circumference of a polygon. */
export function measuredText({ kind, corners }: Measured): string {
  if (kind === "line") return corners.length < 2 ? "" : lengthText(lengthOf(corners));
  if (corners.length < 3) return corners.length < 2 ? "" : lengthText(lengthOf(corners));
  const around = lengthOf([...corners, corners[0] as Point]);
  return `${areaText(areaOf([corners]))}, ${lengthText(around)} around`;
}

function hintOf(kind: MeasureKind | undefined, corners: number, isDone: boolean): string {
  if (kind === undefined) return isDone ? "Drag a corner to change it." : "Choose what to measure.";
  if (corners === 0) return "Click the map, or move it with the arrow keys and add its centre. Escape cancels.";
  return kind === "line"
    ? "Double click or Enter ends the line."
    : "Click the first corner or press Enter to close it.";
}

/** Measures distances and areas on the ellipsoid WGS 84. */
export function Measure({ isActive }: ToolProps): JSX.Element {
  const measured = useSignal<Measured | undefined>(undefined);
  const { sketch, open } = useSketch(isActive, (kind, corners) => {
    if (kind !== "box") measured.value = { kind, corners };
  });
  const onMap = useOnMap();
  const state = sketch?.state.value;
  const kind = state?.kind === "box" ? undefined : state?.kind;
  const isDrawing = kind !== undefined && state?.isEdited === false;
  const last = useRef(measured.value);
  useEffect(() => {
    // what is finished can be changed at once
    const done = measured.value;
    if (done !== undefined && done !== last.current && state?.kind === undefined) sketch?.edit(done.kind, done.corners);
    last.current = done;
  }, [measured.value, sketch]);
  const start = (wanted: MeasureKind): void => {
    measured.value = undefined;
    onMap(() => void open().then((opened) => opened?.start(wanted)));
  };
  const corners = state?.corners ?? [];
  const drawn: Measured | undefined =
    isDrawing && kind !== undefined
      ? { kind, corners: state?.next === undefined ? corners : [...corners, state.next] }
      : measured.value;
  const text = drawn === undefined ? "" : measuredText(drawn);
  return (
    <div class="measure">
      <div class="row wrap">
        {(["line", "polygon"] as const).map((each) => (
          <button key={each} type="button" aria-pressed={kind === each && isDrawing} onClick={() => start(each)}>
            {TITLES[each]}
          </button>
        ))}
        <button
          type="button"
          hidden={drawn === undefined}
          onClick={() => {
            measured.value = undefined;
            sketch?.stop();
          }}
        >
          Clear
        </button>
      </div>
      <output class="measured" aria-live="polite">
        {text}
      </output>
      <p class="quiet" role="status">
        {hintOf(isDrawing ? kind : undefined, corners.length, measured.value !== undefined)}
      </p>
      {isDrawing && sketch !== undefined && <SketchKeys sketch={sketch} />}
    </div>
  );
}
