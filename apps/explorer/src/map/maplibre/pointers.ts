import type { Map as MapLibre, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import type { MapEvents, MapPointer } from "../port.ts";
import { FOOTPRINTS } from "./footprints.ts";

type Emit = <K extends keyof MapEvents>(name: K, event: MapEvents[K]) => void;

function pointerOf(map: MapLibre, event: MapMouseEvent | MapTouchEvent): MapPointer {
  const { point, lngLat } = event;
  return {
    at: [lngLat.lng, lngLat.lat],
    x: point.x,
    y: point.y,
    get scenes() {
      if (map.getLayer(FOOTPRINTS) === undefined) return [];
      const found = map.queryRenderedFeatures(point, { layers: [FOOTPRINTS] });
      return [...new Set(found.map(({ properties }) => String(properties.id)))];
    },
    preventDefault: () => event.preventDefault(),
  };
}

/** Tells listeners what pointers do on the map, mouse and one finger alike. */
export function followPointers(map: MapLibre, emit: Emit): void {
  const pass =
    (name: "click" | "doubleClick" | "press" | "move" | "release") =>
    (event: MapMouseEvent | MapTouchEvent): void =>
      emit(name, pointerOf(map, event));
  map.on("click", pass("click"));
  map.on("dblclick", pass("doubleClick"));
  map.on("mousedown", pass("press"));
  map.on("touchstart", (event) => {
    if (event.points.length === 1) pass("press")(event);
  });
  map.on("mousemove", pass("move"));
  map.on("touchmove", pass("move"));
  map.on("mouseup", pass("release"));
  map.on("touchend", pass("release"));
  map.on("mouseout", () => emit("leave", undefined));
}
