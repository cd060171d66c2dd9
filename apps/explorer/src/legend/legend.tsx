import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Schemas } from "../api/types.ts";
import { useExplorer } from "../state/explorer.ts";
import { styleFields } from "../view/custom-preset.ts";

type LegendDocument = Schemas["Legend"];

/** The legend of what is shown, as the service has it; undefined until it has come. */
function useLegend(): LegendDocument | undefined {
  const { api, store } = useExplorer();
  const preset = store.view.preset.value;
  const fields = styleFields(preset, store.view.custom.value);
  const query = new URLSearchParams({ collection: store.view.collection.value, ...fields });
  const path = `v1/presets/${preset}/legend.json?${query}`;
  const [legend, setLegend] = useState<{ readonly path: string; readonly document: LegendDocument } | undefined>();
  useEffect(() => {
    const abort = new AbortController();
    api.json<LegendDocument>(path, { need: "documents", signal: abort.signal }).then(
      (document) => setLegend({ path, document }),
      () => {
        // the map says what is wrong with the preset
      },
    );
    return () => abort.abort();
  }, [api, path]);
  return legend?.path === path ? legend.document : undefined;
}

function Ramp({ legend }: { readonly legend: LegendDocument }): JSX.Element {
  const { stops = [], range = [], unit } = legend;
  const [low = 0, high = 1] = range;
  const background = `linear-gradient(to right, ${stops.map(({ color }) => color).join(",")})`;
  return (
    <>
      <div class="ramp" style={{ background }} />
      <div class="ramp-labels">
        {[low, (low + high) / 2, high].map((value) => (
          <span key={value}>{Number(value.toPrecision(3))}</span>
        ))}
      </div>
      <span class="legend-unit">{unit ?? "no unit"}</span>
    </>
  );
}

function Channels({ legend }: { readonly legend: LegendDocument }): JSX.Element | null {
  const { channels = [] } = legend;
  // the eye's own colours need no explanation
  if (channels.map(({ shows }) => shows).join() === "red,green,blue") return null;
  return (
    <ul>
      {channels.map(({ color, shows }) => (
        <li key={color}>
          <i class={`dot ${color}`} />
          {`${color.replace(/^\w/, (letter) => letter.toUpperCase())}: ${shows}`}
        </li>
      ))}
    </ul>
  );
}

/** Explains the colours of the preset that is shown. */
export function Legend(): JSX.Element {
  const { preset: shown } = useExplorer();
  const preset = shown.value;
  const legend = useLegend();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend is no set of form fields
    <div class="legend" role="group" aria-label={`Legend of ${preset.title}`}>
      <strong>{preset.title}</strong>
      {legend?.kind === "ramp" && <Ramp legend={legend} />}
      {legend?.kind === "channels" && (
        <>
          {preset.description !== undefined && <span class="legend-note">{preset.description}</span>}
          <Channels legend={legend} />
        </>
      )}
    </div>
  );
}
