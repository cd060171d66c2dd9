import { effect, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Point } from "../geometry/area.ts";
import type { MapPort } from "../map/port.ts";
import { type Explorer, useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { headline } from "./headline.ts";
import { Probe } from "./probe.ts";
import { ReadingView } from "./reading-view.tsx";
import { REST_MS } from "./rest.ts";

interface Probing {
  /** Reads a point and keeps it. */
  readonly keep: (at: Point) => void;
  /** Writes a value beside the point that is kept. */
  readonly label: (text: string) => void;
  readonly end: () => void;
}

function pinDot(): HTMLElement {
  const dot = document.createElement("div");
  dot.className = "pin";
  dot.setAttribute("aria-hidden", "true");
  return dot;
}

/** Reads the pixels that pointers and keys mean on the map. */
function probeMap(explorer: Explorer, map: MapPort, probe: Probe): Probing {
  const dot = pinDot();
  const pin = map.pin(dot);
  let kept: Point | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (at: Point): void => {
    clearTimeout(timer);
    kept = at;
    delete dot.dataset.label;
    pin.moveTo(at);
    void probe.read(at);
  };
  const keepClicked = (): void => {
    const at = explorer.takeClick("values");
    if (at !== undefined) keep(at);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter") keep(centreOf(map));
    if (event.key !== "Escape") return;
    kept = undefined;
    pin.remove();
  };
  const canvas = map.native.getCanvas();
  canvas.addEventListener("keydown", pressed);
  const ends = [
    () => clearTimeout(timer),
    () => canvas.removeEventListener("keydown", pressed),
    () => pin.remove(),
    map.on("move", ({ at }) => {
      // a pointer that rests by chance prompts nobody for a key
      if (kept !== undefined || !explorer.api.credentials.hasOwn) return;
      clearTimeout(timer);
      timer = setTimeout(() => void probe.read(at), REST_MS);
    }),
    map.on("click", keepClicked),
    // another scene or window is shown: the kept point has other values
    onOtherImagery(explorer, () => {
      if (kept !== undefined) void probe.read([...kept]);
    }),
  ];
  keepClicked();
  return {
    keep,
    label: (text) => {
      dot.dataset.label = text;
    },
    end: () => {
      for (const end of ends) end();
    },
  };
}

const centreOf = ({ view }: MapPort): Point => [view.value.lon, view.value.lat];

function onOtherImagery({ store, shown }: Explorer, act: () => void): () => void {
  return effect(() => {
    const { collection, from, to, scene } = store.view;
    void [collection.value, from.value, to.value, scene.value, shown.value];
    untracked(act);
  });
}

/** Values of the pixel under the pointer. */
export function Values({ isActive }: ToolProps): JSX.Element {
  const explorer = useExplorer();
  const [probe] = useState(() => new Probe(explorer));
  const probing = useRef<Probing | undefined>(undefined);
  const map = explorer.map.value;
  // as soon as the tool is seen, pointers and keys are its own
  useLayoutEffect(() => {
    if (!isActive || map === undefined) return undefined;
    probing.current = probeMap(explorer, map, probe);
    return probing.current.end;
  }, [explorer, map, probe, isActive]);
  // the map may still be on its way when its centre is asked for
  const [wantsCentre, setWantsCentre] = useState(false);
  useEffect(() => {
    if (!wantsCentre || !isActive || map === undefined) return;
    setWantsCentre(false);
    probing.current?.keep(centreOf(map));
  }, [wantsCentre, isActive, map]);
  const reading = probe.reading.value;
  useEffect(() => {
    if (reading !== undefined) probing.current?.label(headline(reading));
  }, [reading]);
  return (
    <div {...(probe.isBusy.value || wantsCentre ? { "aria-busy": "true" } : {})}>
      <p class="quiet">
        Point at the map to read a pixel, click or tap to keep it. With the keyboard: move the map with the arrow keys
        and press Enter to read its centre.
      </p>
      <button type="button" class="wide" onClick={() => setWantsCentre(true)}>
        Read the centre of the map
      </button>
      <div class="values" aria-live="polite">
        {reading !== undefined && <ReadingView reading={reading} />}
      </div>
    </div>
  );
}
