import type { ComponentType, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Legend } from "../legend/legend.tsx";
import { useExplorer } from "../state/explorer.ts";
import { Caption } from "./caption.tsx";
import { CardBar } from "./card-bar.tsx";
import { Credit } from "./credit.tsx";
import { FirstImages } from "./first-images.ts";
import { Late } from "./late.tsx";
import { LoadingBar } from "./loading-bar.tsx";
import { NoticeBox } from "./notice-box.tsx";
import { startMap } from "./start-map.ts";

const loadSwipe = async (): Promise<ComponentType> => (await import("../compare/swipe.tsx")).Swipe;

/** The map with what lies on it: caption, legend, messages, credit and the tools' cards. */
export function Stage(): JSX.Element {
  const explorer = useExplorer();
  const container = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current === null || first.current === null) return;
    void startMap(explorer, container.current, FirstImages.of(explorer, first.current));
  }, [explorer]);
  return (
    <main class="stage" aria-label="Map">
      <div class="map" id="map" ref={container} />
      <div class="first-images" ref={first} aria-hidden="true" />
      {(explorer.store.view.tab.value === "values" || explorer.isAiming.value) && (
        <div class="crosshair" aria-hidden="true" />
      )}
      {explorer.right.value !== undefined && <Late load={loadSwipe} />}
      <LoadingBar />
      <Caption />
      <div class="legend-slot">
        <Legend />
      </div>
      <NoticeBox />
      <CardBar />
      <Credit />
    </main>
  );
}
