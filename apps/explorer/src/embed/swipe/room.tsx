import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../../api/api-error.ts";
import { problemFrom } from "../../api/problem-from.ts";
import { Border } from "../../compare/border.tsx";
import { CreditText } from "../../stage/credit-text.tsx";
import { ProblemCard } from "../../ui/problem-card.tsx";
import { MIDDLE } from "../../view/compare-view.ts";
import type { MapView } from "../../view/view.ts";
import { apiWith } from "../api-with.ts";
import { attempt } from "../attempt.ts";
import type { Values } from "../part.ts";
import { roomOf } from "../room.tsx";
import { useAnswer } from "../use-answer.ts";
import styles from "./swipe.css?inline";
import { readPlace, readSwipe, type SwipeRequest } from "./swipe-request.ts";
import { readTileSets, type TileSets } from "./tile-sets.ts";
import { TwoMaps } from "./two-maps.ts";

// the token of a map is in its addresses: no request has a header of its own
const api = apiWith(new URL("/", location.href));

interface MapsProps {
  readonly sets: TileSets;
  readonly request: SwipeRequest;
  readonly place: Partial<MapView>;
}

/** Opens two maps in an element, which follow what is to be shown. */
function useTwoMaps({ sets, place }: MapsProps, onProblem: (problem: Problem | undefined) => void) {
  const element = useRef<HTMLDivElement>(null);
  const [maps, setMaps] = useState<TwoMaps | undefined>(undefined);
  const { lon, lat, zoom } = { ...sets.center, ...place };
  useEffect(() => {
    const container = element.current;
    if (container === null) return undefined;
    let isOver = false;
    let opened: TwoMaps | undefined;
    const load = (url: string, signal: AbortSignal): Promise<Response> => api.send(url, { signal });
    TwoMaps.open({ container, view: { lon, lat, zoom }, load }, onProblem).then(
      (two) => {
        opened = two;
        if (isOver) two.remove();
        else setMaps(two);
      },
      (error: unknown) => onProblem(problemFrom(error)),
    );
    return () => {
      isOver = true;
      opened?.remove();
    };
  }, []);
  useEffect(() => maps?.show(sets), [maps, sets]);
  // where the attributes name no place, the reader's stays
  useEffect(() => maps?.jumpTo({ ...maps.view.peek(), ...place }), [maps, place.lon, place.lat, place.zoom]);
  return { element, maps };
}

/** The images with the border, their dates and their credit. */
function Maps(props: MapsProps): JSX.Element {
  const { sets, request } = props;
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [at, setAt] = useState(MIDDLE);
  const { element, maps } = useTwoMaps(props, setProblem);
  const isTooFar = maps !== undefined && maps.view.value.zoom < sets.left.minzoom - 1;
  return (
    <>
      <div class="map" ref={element} />
      <Border
        at={at}
        left={textOf(request.left)}
        right={textOf(request.right)}
        isLoading={maps?.isLoading.value ?? true}
        onMove={setAt}
      />
      {(problem !== undefined || isTooFar) && (
        <div class="notice">
          {problem === undefined ? "Zoom in to see the images." : <ProblemCard problem={problem} />}
        </div>
      )}
      <CreditText text={sets.credit} />
    </>
  );
}

const textOf = ({ from, to }: SwipeRequest["left"]): string => (from === to ? from : `${from} to ${to}`);

/** Two images of a place by a map token. */
function Swipe({ attributes }: Values): JSX.Element {
  const asked = attempt(() => ({ request: readSwipe(attributes), place: readPlace(attributes) }));
  const request = asked.value?.request;
  const { answer, problem } = useAnswer(request, readSets);
  const fault = asked.problem ?? problem;
  const name =
    attributes("label") ??
    (request === undefined ? "Comparison" : `Comparison of ${textOf(request.left)} and ${textOf(request.right)}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: an image and its border are no set of form fields
    <div class="stage" role="group" aria-label={name}>
      {fault !== undefined && <ProblemCard problem={fault} />}
      {fault === undefined && asked.value !== undefined && answer !== undefined && (
        <Maps sets={answer} {...asked.value} />
      )}
      {fault === undefined && answer === undefined && <p role="status">Loading …</p>}
    </div>
  );
}

const readSets = (request: SwipeRequest, signal: AbortSignal): Promise<TileSets> => readTileSets(api, request, signal);

export const room = roomOf(Swipe, styles);
