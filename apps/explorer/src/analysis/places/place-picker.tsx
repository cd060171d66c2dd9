import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { AreaTools } from "../../draw/area-tools.tsx";
import type { Field } from "../../fields/read-fields.ts";
import { type Explorer, useExplorer } from "../../state/explorer.ts";
import { useOnMap } from "../../state/use-on-map.ts";
import { coordinates } from "../../ui/format.ts";
import type { Analysis, OpenedFile } from "../analysis.ts";
import { FieldList } from "./field-list.tsx";
import { FilePicker } from "./file-picker.tsx";
import { boxOf } from "./overlay.ts";

/** Lets clicks on the map set the point, while nothing is drawn and there is no area and no file. */
function usePointPicks(explorer: Explorer, analysis: Analysis, isPicking: boolean): void {
  const { map, store, clicks } = explorer;
  const port = map.value;
  const picks = useRef(isPicking);
  picks.current = isPicking;
  useLayoutEffect(() => {
    const pick = (): void => {
      const at = explorer.takeClick("analysis");
      // an area may be finished by this very click
      const isFree = store.state.area === undefined && analysis.file.peek() === undefined;
      if (at !== undefined && picks.current && isFree && clicks.peek() === "analysis") store.set({ point: at });
    };
    if (port === undefined) return undefined;
    pick();
    return port.on("click", pick);
  }, [explorer, port, store, clicks, analysis]);
}

function openFile(explorer: Explorer, analysis: Analysis, file: OpenedFile): void {
  analysis.clear();
  analysis.chosen.value = undefined;
  explorer.store.set({ point: undefined });
  analysis.file.value = file;
}

interface OpenFileProps {
  readonly analysis: Analysis;
  readonly file: OpenedFile;
  /** Shows these fields on the map. */
  readonly onSee: (fields: readonly Field[]) => void;
}

/** The fields of a file, and the way back to a place of one's own. */
function OpenFile({ analysis, file, onSee }: OpenFileProps): JSX.Element {
  const { name, fields, faults } = file;
  return (
    <>
      <div class="row wrap">
        <strong class="file-name">{name}</strong>
        <button
          type="button"
          class="small"
          onClick={() => {
            analysis.clear();
            analysis.file.value = undefined;
          }}
        >
          Close the file
        </button>
      </div>
      <FieldList
        fields={fields}
        faults={faults}
        answers={analysis.answers.value}
        chosen={analysis.chosen.value}
        onChoose={(id) => {
          analysis.chosen.value = id;
          onSee(fields.filter((field) => field.id === id));
        }}
      />
    </>
  );
}

/** Chooses what is asked about: a point, an area, or the fields of a file. */
export function PlacePicker({
  analysis,
  isActive,
}: {
  readonly analysis: Analysis;
  readonly isActive: boolean;
}): JSX.Element {
  const explorer = useExplorer();
  const { store } = explorer;
  const onMap = useOnMap();
  const [isDrawing, setDrawing] = useState(false);
  const file = analysis.file.value;
  const point = store.view.point.value;
  const area = store.view.area.value;
  usePointPicks(explorer, analysis, isActive && !isDrawing);
  const see = (fields: readonly Field[]): void => {
    const box = boxOf(fields);
    if (box !== undefined) onMap((map) => map.fit(box));
  };
  if (file !== undefined) return <OpenFile analysis={analysis} file={file} onSee={see} />;
  const takeCentre = (): void =>
    onMap(({ view }) => {
      const { lon, lat } = view.peek();
      store.set({ point: [lon, lat], area: undefined });
    });
  return (
    <div class="places">
      <p class="quiet">
        {point === undefined && area === undefined
          ? "Click a point on the map, or draw an area."
          : point !== undefined && area === undefined
            ? `The point ${coordinates(...point)}.`
            : ""}
      </p>
      <div class="row wrap">
        <button type="button" onClick={takeCentre}>
          Point in the centre
        </button>
        <button type="button" hidden={point === undefined} onClick={() => store.set({ point: undefined })}>
          Clear the point
        </button>
      </div>
      <AreaTools
        name="analysis"
        isActive={isActive}
        purpose={point === undefined ? "ask about" : "ask about in place of the point"}
        onDrawing={setDrawing}
      />
      <FilePicker
        onFile={(opened) => {
          openFile(explorer, analysis, opened);
          see(opened.fields);
        }}
      />
    </div>
  );
}
