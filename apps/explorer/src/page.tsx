import type { JSX } from "preact";
import { Panel } from "./panel/panel.tsx";
import { Dock } from "./stage/dock.tsx";
import { Stage } from "./stage/stage.tsx";
import { type Explorer, ExplorerContext } from "./state/explorer.ts";
import { useOnMap } from "./state/use-on-map.ts";

/** Goes past the panel. No link: the fragment of the address is the view's. */
function SkipLink(): JSX.Element {
  const onMap = useOnMap();
  return (
    <button type="button" class="skip" onClick={() => onMap((map) => map.focus())}>
      Skip to the map
    </button>
  );
}

/** The map page: the panel and the map, which share the explorer. */
export function Page({ explorer }: { readonly explorer: Explorer }): JSX.Element {
  return (
    <ExplorerContext.Provider value={explorer}>
      <SkipLink />
      <Panel />
      <div class="stage-column">
        <Stage />
        <Dock />
      </div>
    </ExplorerContext.Provider>
  );
}
