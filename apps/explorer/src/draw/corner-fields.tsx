import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Area } from "../geometry/area.ts";
import { areaBbox } from "../geometry/area.ts";

const SIDES = ["West", "South", "East", "North"] as const;

interface CornerFieldsProps {
  /** The tool's name: its fields have ids of their own. */
  readonly name: string;
  readonly area: Area | undefined;
  readonly onArea: (area: Area) => void;
}

/** Says in the fields what is wrong with a typed box; returns it where nothing is. */
function readBox(inputs: readonly HTMLInputElement[]): Area | undefined {
  const values = inputs.map(({ value }) => (value === "" ? Number.NaN : Number(value)));
  if (!values.every(Number.isFinite)) return undefined;
  const [west, south, east, north] = values as [number, number, number, number];
  inputs[2]?.setCustomValidity(west < east ? "" : "East must be greater than west.");
  inputs[3]?.setCustomValidity(south < north ? "" : "North must be greater than south.");
  const isOnEarth = [west, east].every((x) => Math.abs(x) <= 180) && [south, north].every((y) => Math.abs(y) <= 90);
  if (west < east && south < north && isOnEarth) return { kind: "box", bbox: [west, south, east, north] };
  for (const input of inputs) input.reportValidity();
  return undefined;
}

/** The area's box in degrees, to be read and typed. */
export function CornerFields({ name, area, onArea }: CornerFieldsProps): JSX.Element {
  const set = useRef<HTMLFieldSetElement>(null);
  const inputs = (): HTMLInputElement[] => [...(set.current?.querySelectorAll("input") ?? [])];
  // before the fields are seen: what is typed into them stays
  useLayoutEffect(() => {
    const bbox = area === undefined ? undefined : areaBbox(area);
    inputs().forEach((input, i) => {
      input.value = bbox === undefined ? "" : String(Number((bbox[i] as number).toFixed(4)));
      input.setCustomValidity("");
    });
  }, [area]);
  const typed = (): void => {
    const box = readBox(inputs());
    if (box !== undefined) onArea(box);
  };
  return (
    <fieldset class="corners" ref={set}>
      <legend>Box in degrees</legend>
      {SIDES.map((side) => (
        <div key={side} class="field">
          <label for={`${name}-${side.toLowerCase()}`}>{side}</label>
          <input type="number" step="any" id={`${name}-${side.toLowerCase()}`} inputmode="decimal" onChange={typed} />
        </div>
      ))}
    </fieldset>
  );
}
