import "./share.css";
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Explorer, useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { sideText } from "../view/right-side.ts";
import { SNIPPETS } from "./code/snippets.ts";
import { CodeRow } from "./code-row.tsx";
import { type MadeMap, tokenFor } from "./map-token.ts";
import { MapToken } from "./map-token.tsx";
import { type ShareView, shareView } from "./share-view.ts";

/** The view that is shown, with the token of a map that was made for it; undefined until the map is there. */
function viewOf(explorer: Explorer, made: readonly MadeMap[]): ShareView | undefined {
  const { api, asked, preset, collection, shown, isSynthetic, map } = explorer;
  const port = map.value;
  if (port === undefined) return undefined;
  const source = {
    server: api.base.href,
    view: asked.value,
    preset: preset.value,
    collection: collection.value,
    shown: shown.value,
    isSynthetic,
    seen: port.bbox.value,
    map: port.view.value,
  };
  return shareView(source, tokenFor(made, { preset: source.preset.id, collection: source.collection.id }));
}

/** Whether there is a key or a session, which changes while the card is open. */
function useHasOwn({ api: { credentials } }: Explorer): boolean {
  const hasOwn = useSignal(credentials.hasOwn);
  useEffect(
    () =>
      credentials.onChange(() => {
        hasOwn.value = credentials.hasOwn;
      }),
    [credentials],
  );
  return hasOwn.value;
}

function about(explorer: Explorer, view: ShareView): string {
  const { asked, isDateless, right } = explorer;
  const days = isDateless.value ? undefined : asked.value;
  const what = view.scene === undefined ? sideText({ title: view.title }, days) : `${view.title}, ${view.scene}`;
  const where = asked.value.area === undefined ? "what the map shows" : "your area";
  return `${right.value === undefined ? "" : "The left image. "}${what}; ${view.collection}, ${where}.`;
}

/** Hands the view over to other programs and pages: as code for each, copied by one click. */
export function Share({ isActive }: ToolProps): JSX.Element | null {
  const explorer = useExplorer();
  const made = useSignal<readonly MadeMap[]>([]);
  const hasOwn = useHasOwn(explorer);
  // code is made of every move of the map, so that it is made for nobody while the card is closed
  const view = isActive ? viewOf(explorer, made.value) : undefined;
  if (view === undefined) return null;
  const add = (map: MadeMap): void => {
    made.value = [...made.value, map];
  };
  return (
    <div class="share">
      <p>{about(explorer, view)}</p>
      <MapToken view={view} hasOwn={hasOwn} onMade={add} />
      <ul class="codes" aria-label="Code">
        {SNIPPETS.filter(({ isFor }) => isFor?.(view) !== false).map((snippet) => (
          <CodeRow key={snippet.id} snippet={snippet} view={view} />
        ))}
      </ul>
      {view.cloud < 100 && view.scene === undefined && (
        <p class="quiet">
          The ceiling of cloud is in the code for values. Images have all scenes, the clearest on top.
        </p>
      )}
    </div>
  );
}
