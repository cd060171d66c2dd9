import placesUrl from "virtual:places";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { fetchAnswer, type Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { findPlaces, type Place, type PlaceRow } from "./find-places.ts";

/** Goes to a place by its name or its coordinates. */
export function PlaceSearch({ isActive }: ToolProps): JSX.Element {
  const { store } = useExplorer();
  const [rows, setRows] = useState<readonly PlaceRow[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [text, setText] = useState("");
  // the names may still be on their way when one of them is entered
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    fetchAnswer(placesUrl)
      .then((response) => response.json() as Promise<PlaceRow[]>)
      .then(setRows, (error: unknown) => setProblem(problemFrom(error)));
  }, []);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // whoever presses the button wants to type; an address with the card open takes nobody's focus
    const wasPressed = document.activeElement?.getAttribute("aria-controls") === "card-search";
    if (isActive && wasPressed) field.current?.focus();
  }, [isActive]);
  const found = findPlaces(text, rows);
  const go = ({ view }: Place): void => store.set({ map: view });
  useEffect(() => {
    if (!isEntered || rows.length === 0) return;
    setEntered(false);
    const [first] = found;
    if (first !== undefined) go(first);
  }, [isEntered, rows]);
  const isNone = found.length === 0 && text.trim().length > 1 && rows.length > 0;
  return (
    <form
      class="place-search"
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = found;
        if (first !== undefined) go(first);
        else setEntered(true);
      }}
    >
      <div class="field">
        <label for="place">Name, or latitude and longitude</label>
        <input
          ref={field}
          type="search"
          id="place"
          autocomplete="off"
          spellcheck={false}
          placeholder="Ljubljana, or 46.05, 14.51"
          value={text}
          onInput={(event) => {
            setEntered(false);
            setText(event.currentTarget.value);
          }}
        />
      </div>
      {problem !== undefined && <ProblemCard problem={problem} />}
      <ul class="places" aria-label="Places found">
        {found.map((place) => (
          <li key={`${place.title} ${place.view.lat}`}>
            <button type="button" class="wide" onClick={() => go(place)}>
              {place.title}
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {isNone
          ? "No city of 20,000 people or more has this in its name."
          : "Cities of 20,000 people or more, from GeoNames."}
      </p>
    </form>
  );
}
