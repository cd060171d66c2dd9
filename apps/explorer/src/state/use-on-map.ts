import { useLayoutEffect, useRef } from "preact/hooks";
import type { MapPort } from "../map/port.ts";
import { useExplorer } from "./explorer.ts";

type Act = (map: MapPort) => void;

/**
 * Gives a control what it does with the map: at once, or as soon as the map is there, whose code may still be on its way. Of
 * what is asked for before, the last counts; `undefined` takes it back.
 */
export function useOnMap(): (act: Act | undefined) => void {
  const { map } = useExplorer();
  const port = map.value;
  const wanted = useRef<Act | undefined>(undefined);
  useLayoutEffect(() => {
    if (port === undefined) return;
    const act = wanted.current;
    wanted.current = undefined;
    act?.(port);
  }, [port]);
  return (act) => {
    const present = map.peek();
    if (present === undefined) wanted.current = act;
    else act?.(present);
  };
}
