import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isOwn, pageOf, placeOf } from "../api/service-address.ts";
import { KeyButton } from "../key/key-button.tsx";
import { useExplorer } from "../state/explorer.ts";
import { rememberView } from "../view/remembered-view.ts";
import { Controls } from "./controls.tsx";
import { Tabs } from "./tabs.tsx";

function PanelHeader(): JSX.Element {
  const { api, hasAccounts } = useExplorer();
  return (
    <header>
      <h1>Swath</h1>
      <nav aria-label="Service">
        <a href={pageOf(api.base, "docs")}>Documentation</a>
        {hasAccounts && (
          <a href={pageOf(api.base, "account")} onClick={rememberView}>
            Account
          </a>
        )}
        <KeyButton />
      </nav>
      {!isOwn(api.base) && <p class="quiet service">{placeOf(api.base)}</p>}
    </header>
  );
}

/** The handle by which the panel of a phone grows over the map. A card that is opened needs the map's space. */
function Sheet(): JSX.Element {
  const { map, store } = useExplorer();
  const [isTall, setTall] = useState(false);
  const card = store.view.card.value;
  const grow = (isWanted: boolean): void => {
    document.getElementById("app")?.classList.toggle("tall", isWanted);
    setTall(isWanted);
    map.value?.resize();
  };
  useEffect(() => {
    if (card !== undefined) grow(false);
  }, [card]);
  return (
    <button type="button" class="sheet" aria-expanded={isTall} aria-controls="panel-body" onClick={() => grow(!isTall)}>
      <span class="grip" aria-hidden="true" />
      <span class="hidden">Show more of the panel</span>
    </button>
  );
}

/** The panel beside the map, on a phone below it. */
export function Panel(): JSX.Element {
  return (
    <aside class="panel" aria-label="Explorer">
      <PanelHeader />
      <Sheet />
      <div class="panel-body" id="panel-body">
        <Controls />
        <Tabs />
      </div>
    </aside>
  );
}
