import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useExplorer } from "../state/explorer.ts";
import type { Found } from "../state/scene-search.ts";
import { count } from "../ui/format.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { RetryButton } from "../ui/retry-button.tsx";
import { NoScenes } from "./no-scenes.tsx";
import { Previews } from "./previews.ts";
import { SceneDetails } from "./scene-details.tsx";
import { SceneEntry } from "./scene-entry.tsx";

function statusText(found: Found): string {
  const { items, total, hasMore } = found;
  if (items.length === 0) return "No scenes here.";
  const ofAll = total === undefined ? (hasMore ? " of many" : "") : total === items.length ? "" : ` of ${count(total)}`;
  return `${count(items.length)}${ofAll} scene${items.length === 1 ? "" : "s"} in view`;
}

/** The list of scenes in view. */
export function Scenes(): JSX.Element {
  const { api, scenes } = useExplorer();
  const [previews] = useState(() => new Previews(api));
  const found = scenes.found.value;
  const problem = scenes.problem.value;
  const status = problem !== undefined ? "The search failed." : found === undefined ? "" : statusText(found);
  return (
    <div {...(scenes.isBusy.value ? { "aria-busy": "true" } : {})}>
      <p class="quiet" role="status">
        {status}
      </p>
      {found !== undefined && found.missing.length > 0 && (
        <div class="row wrap" role="alert">
          <p>
            {found.missing.join(" and ")} did not answer: scenes from there are missing, in the list and on the map.
          </p>
          <RetryButton after={undefined} onRetry={() => scenes.forget()} />
        </div>
      )}
      <SceneDetails />
      {problem !== undefined && (
        <>
          <ProblemCard problem={problem} />
          <RetryButton after={problem.retryAfter} onRetry={() => scenes.forget()} />
        </>
      )}
      {problem === undefined && found?.items.length === 0 && <NoScenes />}
      <ol class="scenes" aria-label="Scenes in view, newest first">
        {found?.items.map((item) => (
          <SceneEntry key={item.id} item={item} previews={previews} />
        ))}
      </ol>
      {found?.hasMore === true && (
        <button type="button" class="wide" onClick={() => void scenes.more()}>
          More scenes
        </button>
      )}
    </div>
  );
}
