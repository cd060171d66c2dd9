import type { JSX } from "preact";
import { Stage } from "./map/stage.tsx";
import { Dock } from "./panel/dock.tsx";
import { Panel } from "./panel/panel.tsx";
import { type Explorer, ExplorerContext, useExplorer } from "./state/explorer.ts";

/** Goes past the panel. No link: the fragment of the address is the view's. */
function SkipLink(): JSX.Element {
  const { map } = useExplorer();
  return (
    <button type="button" class="skip" onClick={() => map.value?.focus()}>
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
