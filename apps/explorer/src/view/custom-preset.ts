import type { Collection, Preset } from "../api/types.ts";
import { CUSTOM, type Custom } from "./view.ts";

/** Zooms at which a preset of the user's own is drawn where the collection does not say. */
const ZOOMS = { minzoom: 7, maxzoom: 14 };

/** The preset of the user's own, as if the service had it in its list. */
export function customPreset(custom: Custom | undefined, collection: Collection): Preset {
  const { expression, bands = "" } = custom ?? {};
  const zoom = collection["svc:zoom"];
  return {
    id: CUSTOM,
    title: expression ?? bands,
    collection: collection.id,
    bands: bands === "" ? [] : bands.split(",").map((name) => name.trim()),
    ...(expression === undefined ? {} : { expression }),
    ...(zoom === undefined ? ZOOMS : { minzoom: zoom.scenes ?? zoom.min, maxzoom: zoom.max }),
    defaultWindow: "P90D",
  };
}

/** Fields of requests for what a preset draws: a custom one says it itself. */
export function styleFields(preset: string, custom: Custom | undefined): Readonly<Record<string, string>> {
  if (preset !== CUSTOM || custom === undefined) return {};
  return Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== undefined && value !== ""));
}
