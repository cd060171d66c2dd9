import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { problemFrom } from "../api/problem-from.ts";
import type { MapPort } from "../map/port.ts";
import { useExplorer } from "../state/explorer.ts";
import type { OnShape, Sketch } from "./sketch.ts";

export interface Sketching {
  /** The sketch on the map; absent until it is first needed, and while the tool that uses it is not active. */
  readonly sketch: Sketch | undefined;
  /** Loads what draws, and puts it on the map, which is there already; undefined where that cannot be. */
  readonly open: () => Promise<Sketch | undefined>;
}

/**
 * Enter ends a shape, except on a button, which it presses; Escape leaves it. With the focus on the map, Space sets a corner
 * at its centre and Backspace takes the last one back.
 */
function onKey(event: KeyboardEvent, sketch: Sketch, map: MapPort): void {
  if (sketch.state.peek().kind === undefined) return;
  if (event.key === "Escape") sketch.stop();
  if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) sketch.finish();
  if (event.target !== map.native.getCanvas()) return;
  if (event.key === "Backspace") sketch.undo();
  if (event.key !== " ") return;
  event.preventDefault();
  const { lon, lat } = map.view.peek();
  sketch.add([lon, lat]);
}

/** A sketch on the map as long as the tool that uses it is active. */
export function useSketch(isActive: boolean, onShape: OnShape): Sketching {
  const { map, notices } = useExplorer();
  const port = map.value;
  const [sketch, setSketch] = useState<Sketch | undefined>(undefined);
  const tell = useRef(onShape);
  tell.current = onShape;
  const active = useRef(isActive);
  active.current = isActive;
  const opening = useRef<Promise<Sketch | undefined> | undefined>(undefined);
  // as soon as the page shows that something is drawn, its keys are for it
  useLayoutEffect(() => {
    if (sketch === undefined || port === undefined) return undefined;
    const listener = (event: KeyboardEvent): void => onKey(event, sketch, port);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [sketch, port]);
  useEffect(
    () => () => {
      const opened = opening.current;
      opening.current = undefined;
      setSketch(undefined);
      void opened?.then((made) => made?.dispose());
    },
    [isActive],
  );
  const make = async (): Promise<Sketch | undefined> => {
    const present = map.peek();
    if (present === undefined) return undefined;
    try {
      const { Sketch } = await import("./sketch.ts");
      if (!active.current) return undefined;
      const made = new Sketch(present, (...shape) => tell.current(...shape));
      setSketch(made);
      return made;
    } catch (error) {
      notices.report(problemFrom(error));
      opening.current = undefined;
      return undefined;
    }
  };
  return {
    sketch,
    open: () => {
      opening.current ??= make();
      return opening.current;
    },
  };
}
