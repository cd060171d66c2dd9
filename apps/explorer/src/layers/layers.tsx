import type { JSX } from "preact";
import { reliefOf } from "../map/imagery-of.ts";
import { useExplorer } from "../state/explorer.ts";
import { Switch } from "../ui/switch.tsx";
import { Stretch } from "./stretch.tsx";

/** Opacity at which a relief below the imagery is seen, percent. */
const OVER_RELIEF = 65;

/** Sets how the imagery lies on the map: its opacity, what is below and above it, and its stretch. */
export function Layers(): JSX.Element {
  const { store, api, presets, collections, isSynthetic, showsNames, hasNames } = useExplorer();
  const { opacity, relief } = store.view;
  const hasRelief = reliefOf(api.base.href, presets, collections) !== undefined;
  const setRelief = (isOn: boolean): void => {
    const isHidden = isOn && opacity.value === 100;
    store.set({ relief: isOn || undefined, ...(isHidden ? { opacity: OVER_RELIEF } : {}) });
  };
  return (
    <>
      <div class="field">
        <label for="opacity">
          Opacity of the imagery <output for="opacity">{opacity.value} %</output>
        </label>
        <input
          type="range"
          id="opacity"
          min={0}
          max={100}
          step={5}
          value={opacity.value}
          onInput={(event) => store.set({ opacity: Number(event.currentTarget.value) })}
        />
      </div>
      {hasRelief && <Switch label="Hillshade below" isOn={relief.value === true} onChange={setRelief} />}
      <Switch
        label="Borders and names"
        isOn={hasNames.value}
        onChange={(isOn) => store.set({ names: isOn === showsNames ? undefined : isOn })}
      />
      {isSynthetic && <p class="quiet">The names are of the real world; the images are of an invented country.</p>}
      <Stretch />
    </>
  );
}
