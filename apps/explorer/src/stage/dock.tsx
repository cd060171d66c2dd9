import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";
import { TAB_TOOLS } from "../tools.ts";
import { Late } from "./late.tsx";

/** The part of the shown tab below the map, loaded with its tool. */
export function Dock(): JSX.Element | null {
  const load = TAB_TOOLS[useExplorer().store.view.tab.value].loadDock;
  return load === undefined ? null : <Late load={load} />;
}
