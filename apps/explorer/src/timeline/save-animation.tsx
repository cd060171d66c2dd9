import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import { creditLine } from "../map/credit-line.ts";
import { imageryOf } from "../map/imagery-of.ts";
import { type Explorer, useExplorer } from "../state/explorer.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { saveBlob } from "../ui/save-text.ts";
import { sideText } from "../view/right-side.ts";
import type { Format } from "./encoders.ts";
import { MAX_FRAMES, type Speed, thinned } from "./frames.ts";
import type { FrameAsked } from "./record.ts";
import { findVideoCodec } from "./video-codec.ts";

const SECOND_MS = 1000;
const FORMAT_NAMES: Readonly<Record<Format, string>> = { webp: "WebP", gif: "GIF", mp4: "MP4", webm: "WebM" };

/** Returns the imagery and the words of the frame of a day. */
function frameOf({ api, asked, preset, collection, isSynthetic, hasNames, map }: Explorer, day: string): FrameAsked[] {
  const view = { ...asked.value, scene: undefined, from: day, to: day };
  const imagery = imageryOf(api.base.href, view, preset.value, collection.value, undefined);
  if (imagery === undefined) return [];
  const title = sideText(preset.value, view);
  const credit = creditLine(view, collection.value, undefined, {
    isSynthetic,
    hasNames: hasNames.value,
    base: map.value?.base.value,
  });
  return [{ imagery, title, credit }];
}

/** Formats that the browser writes: the video that it encodes best, if any, after those that all browsers have. */
function useFormats(): readonly Format[] {
  const [video, setVideo] = useState<Format | undefined>(undefined);
  useEffect(() => {
    void findVideoCodec().then((found) => setVideo(found?.format));
  }, []);
  return video === undefined ? ["webp", "gif"] : ["webp", "gif", video];
}

interface Running {
  readonly done: number;
  readonly of: number;
}

interface SaveProps {
  readonly days: readonly string[];
  readonly speed: Speed;
  readonly onStart: () => void;
}

/** Saves the days as an animation, with how far it is and a way to stop it. */
export function SaveAnimation({ days, speed, onStart }: SaveProps): JSX.Element {
  const explorer = useExplorer();
  const formats = useFormats();
  const format = useSignal<Format>("webp");
  const running = useSignal<Running | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const begin = (): AbortController => {
    abort.current = new AbortController();
    return abort.current;
  };
  const save = async (): Promise<void> => {
    const map = explorer.map.peek();
    if (map === undefined) return;
    const frames = thinned(days, MAX_FRAMES).flatMap((day) => frameOf(explorer, day));
    const { signal } = begin();
    const onProgress = (done: number): void => {
      running.value = { done, of: frames.length };
    };
    problem.value = undefined;
    onStart();
    onProgress(0);
    try {
      const { recordAnimation } = await import("./record.ts");
      const duration = SECOND_MS / speed;
      const blob = await recordAnimation({ map, frames, format: format.value, duration, onProgress, signal });
      saveBlob(blob, `${explorer.preset.peek().id}-${days[0]}-${days.at(-1)}.${format.value}`);
    } catch (error) {
      if (!signal.aborted) problem.value = problemFrom(error);
    }
    running.value = undefined;
  };
  if (running.value !== undefined) return <Progress {...running.value} onStop={() => abort.current?.abort()} />;
  return (
    <>
      <div class="row">
        <label>
          Format
          <select
            value={format.value}
            onChange={(event) => {
              format.value = event.currentTarget.value as Format;
            }}
          >
            {formats.map((id) => (
              <option key={id} value={id}>
                {FORMAT_NAMES[id]}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="small"
          title={days.length > MAX_FRAMES ? `${MAX_FRAMES} of the ${days.length} days, evenly chosen` : undefined}
          disabled={days.length < 2}
          onClick={() => void save()}
        >
          Save the animation
        </button>
      </div>
      {problem.value !== undefined && <ProblemCard problem={problem.value} />}
    </>
  );
}

function Progress({ done, of, onStop }: Running & { readonly onStop: () => void }): JSX.Element {
  return (
    <div class="row">
      <progress max={of} value={done} aria-label="Frames drawn" />
      <span class="quiet" role="status">
        {done} of {of} frames
      </span>
      <button type="button" class="small" onClick={onStop}>
        Stop
      </button>
    </div>
  );
}
