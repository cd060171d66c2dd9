import type { JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { Area } from "../geometry/area.ts";
import { parseCorners } from "./parse-corners.ts";

interface TypedPolygonProps {
  /** The tool's name: its fields have ids of their own. */
  readonly name: string;
  readonly area: Area | undefined;
  readonly onArea: (area: Area) => void;
}

const textOf = (area: Area | undefined): string =>
  area?.kind === "polygon" ? area.corners.map(([lon, lat]) => `${round(lon)}, ${round(lat)}`).join("\n") : "";
const round = (value: number): number => Number(value.toFixed(5));

/** The corners of a polygon, to be read and typed. */
export function TypedPolygon({ name, area, onArea }: TypedPolygonProps): JSX.Element {
  const [text, setText] = useState(textOf(area));
  const [fault, setFault] = useState<string | undefined>(undefined);
  // before the field is seen: what is typed into it stays
  useLayoutEffect(() => {
    setText(textOf(area));
    setFault(undefined);
  }, [area]);
  const read = (): void => {
    const corners = parseCorners(text);
    if (typeof corners === "string") setFault(corners);
    else onArea({ kind: "polygon", corners });
  };
  return (
    <details class="typed-polygon">
      <summary>Type a polygon</summary>
      <div class="field">
        <label for={`${name}-corners`}>Corners, one a line: longitude, latitude</label>
        <textarea
          id={`${name}-corners`}
          rows={4}
          spellcheck={false}
          value={text}
          aria-invalid={fault !== undefined}
          aria-describedby={`${name}-corners-fault`}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="fault" id={`${name}-corners-fault`} role="status">
          {fault}
        </p>
        <button type="button" class="small" onClick={read}>
          Use this polygon
        </button>
      </div>
    </details>
  );
}
