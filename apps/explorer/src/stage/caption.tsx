import type { JSX } from "preact";
import { farTime } from "../map/far-time.ts";
import { useExplorer } from "../state/explorer.ts";
import { dayAndTime, platformName } from "../ui/format.ts";
import { hasClouds } from "../view/bands.ts";

function MosaicCaption(): JSX.Element {
  const { drawn, preset, collection, isDateless, map } = useExplorer();
  const { from, to } = drawn.value;
  const shown = collection.value;
  const far = farTime(to, preset.value, shown);
  // raster tiles of 256 pixels are shown from one zoom below their own
  const isFar = far !== undefined && Math.round((map.value?.view.value.zoom ?? far.below) + 1) < far.below;
  const days = isFar && far.month !== undefined ? far.month : from === to ? from : `${from} to ${to}`;
  return (
    <>
      <strong>Mosaic</strong>
      <span>{shown.title ?? shown.id}</span>
      <span>{isDateless.value ? "the same on all dates" : days}</span>
      <span class="wide-only">{hasClouds(shown) ? "least cloudy on top" : "newest on top"}</span>
    </>
  );
}

function SceneCaption({ id }: { readonly id: string }): JSX.Element {
  const explorer = useExplorer();
  const facts = explorer.shown.value?.properties;
  return (
    <>
      <strong>One scene</strong>
      {facts === undefined ? (
        <span>{id}</span>
      ) : (
        <>
          <span>{platformName(facts.platform)}</span>
          <span>{dayAndTime(facts.datetime)}</span>
        </>
      )}
      <button
        type="button"
        onClick={() => {
          explorer.choose(undefined);
          // the button goes, and would take the focus along
          explorer.map.value?.focus();
        }}
      >
        Back to the mosaic
      </button>
    </>
  );
}

/** Says in words which images the map shows: the mosaic with its dates, or the one scene with the way back. */
export function Caption(): JSX.Element {
  const { drawn, isSynthetic } = useExplorer();
  const { scene } = drawn.value;
  return (
    <div class="mode">
      {scene === undefined ? <MosaicCaption /> : <SceneCaption id={scene} />}
      {isSynthetic && (
        <span class="synthetic" title="The archive is synthetic: its images are computed, its country is invented.">
          Invented country
        </span>
      )}
    </div>
  );
}
