import { effect, untracked } from "@preact/signals";
import type { Item } from "../api/types.ts";
import type { Explorer } from "./explorer.ts";

/** Finds the item of the scene that the view names; where there is none, the mosaic is shown. */
export function followScene(explorer: Explorer): void {
  const { store, shown } = explorer;
  effect(() => {
    const id = store.view.scene.value;
    if (id === undefined) shown.value = undefined;
    else if (untracked(() => shown.value)?.id !== id) untracked(() => void find(explorer, id));
  });
  // a scene belongs to its collection
  store.on(["collection"], (state, before) => {
    if (state.scene === before.scene) store.set({ scene: undefined });
  });
}

async function find({ api, store, shown, scenes, notices }: Explorer, id: string): Promise<void> {
  const { collection } = store.state;
  const known = scenes.items.find((item) => item.id === id);
  const path = `v1/collections/${collection}/items/${encodeURIComponent(id)}`;
  try {
    const item = known ?? (await api.json<Item>(path, { need: "documents" }));
    if (store.state.scene === id) shown.value = item;
  } catch {
    if (store.state.scene !== id) return;
    notices.say(`There is no scene ${id} in this collection; this is the mosaic.`);
    store.set({ scene: undefined });
  }
}
