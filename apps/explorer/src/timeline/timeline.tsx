import "./timeline.css";
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type DayScenes, dayText } from "../days/by-day.ts";
import { useDays } from "../days/use-days.ts";
import { useExplorer } from "../state/explorer.ts";
import type { ToolProps } from "../tool.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { useSpaceAbove } from "../ui/space-above.ts";
import { framesOf, indexOf, SPEEDS, type Speed } from "./frames.ts";
import { SaveAnimation } from "./save-animation.tsx";

const SECOND_MS = 1000;
const ICONS = {
  before: "M6 5h2.5v14H6zM19 5v14L9.5 12z",
  play: "M7 4.5v15l12-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  after: "M15.5 5H18v14h-2.5zM5 5v14l9.5-7z",
} as const;

interface StepProps {
  readonly icon: keyof typeof ICONS;
  readonly label: string;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}

function Step({ icon, label, isDisabled, onClick }: StepProps): JSX.Element {
  return (
    <button type="button" class="small" aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[icon]} />
      </svg>
    </button>
  );
}

/** Goes on to the next frame as long as it plays, when the one that is shown is drawn and has been seen. */
function usePlayer(isPlaying: boolean, at: number, speed: Speed, next: () => void): void {
  const isLoading = useExplorer().map.value?.isLoading.value ?? true;
  useEffect(() => {
    if (!isPlaying || isLoading) return undefined;
    const timer = setTimeout(next, SECOND_MS / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, isLoading, at, speed]);
}

interface TrackProps {
  readonly frames: readonly DayScenes[];
  readonly at: number;
  readonly isPlaying: boolean;
  readonly onStep: (at: number) => void;
  readonly onPlay: () => void;
}

function Track({ frames, at, isPlaying, onStep, onPlay }: TrackProps): JSX.Element {
  const shown = frames[at];
  const isAlone = frames.length < 2;
  const text = shown === undefined ? "No day" : dayText(shown.day, shown);
  return (
    <div class="timeline-row">
      {/* biome-ignore lint/a11y/useSemanticElements: buttons are no set of form fields */}
      <div class="row" role="group" aria-label="Frames">
        <Step icon="before" label="The day before" isDisabled={isAlone} onClick={() => onStep(at - 1)} />
        <Step
          icon={isPlaying ? "pause" : "play"}
          label={isPlaying ? "Pause" : "Play"}
          isDisabled={isAlone}
          onClick={onPlay}
        />
        <Step icon="after" label="The day after" isDisabled={isAlone} onClick={() => onStep(at + 1)} />
      </div>
      <input
        type="range"
        aria-label="Day"
        aria-valuetext={text}
        min={0}
        max={Math.max(0, frames.length - 1)}
        value={at}
        disabled={isAlone}
        onInput={(event) => onStep(Number(event.currentTarget.value))}
      />
    </div>
  );
}

interface DaysProps {
  readonly frames: readonly DayScenes[];
  readonly isBusy: boolean;
  readonly isCut: boolean;
}

/** Says how many days there are, where there is something to say. */
function DaysText({ frames, isBusy, isCut }: DaysProps): JSX.Element | null {
  const { store } = useExplorer();
  const cloud = store.view.cloud.value;
  const limit = cloud === 100 ? "" : ` with ${cloud} % cloud or less`;
  if (isBusy && frames.length === 0) return <p class="quiet">Searching …</p>;
  if (frames.length === 0)
    return <p class="quiet">{`No day has scenes in view${limit}. Choose other dates in the panel.`}</p>;
  if (frames.length === 1)
    return <p class="quiet">{`One day alone has scenes in view${limit}. Choose longer dates in the panel.`}</p>;
  return isCut ? <p class="quiet">These are the newest days. Zoom in, or choose shorter dates, to see all.</p> : null;
}

/** Keeps the day of the view one of the frames while the timeline is open; none is shown when it is closed. */
function useFrame(frames: readonly DayScenes[] | undefined, isActive: boolean): number {
  const { store } = useExplorer();
  const day = store.view.day.value;
  const at = indexOf(frames ?? [], day);
  const nearest = frames?.[at]?.day;
  useEffect(() => {
    if (isActive && nearest !== undefined && nearest !== day) store.set({ day: nearest });
    if (isActive && frames?.length === 0) store.set({ day: undefined });
    if (!isActive) store.set({ day: undefined });
  }, [isActive, nearest, day, frames?.length]);
  return at;
}

/** Goes through the days that have scenes in view, one frame a day, by hand or by itself. */
export function Timeline({ isActive }: ToolProps): JSX.Element {
  const { store } = useExplorer();
  const { from, to, cloud } = store.view;
  const { found, problem, isBusy } = useDays({ from: from.value, to: to.value }, isActive);
  const frames = found === undefined ? undefined : framesOf(found.days.values(), cloud.value);
  const shown = frames ?? [];
  const at = useFrame(frames, isActive);
  const isPlaying = useSignal(false);
  const speed = useSignal<Speed>(2);
  const step = (to: number): void => {
    const day = shown[(to + shown.length) % Math.max(1, shown.length)]?.day;
    if (day !== undefined) store.set({ day });
  };
  usePlayer(isPlaying.value && isActive, at, speed.value, () => step(at + 1));
  const frame = shown[at];
  const room = useRef<HTMLDivElement>(null);
  useSpaceAbove(room, "--timeline", (element) => element.closest<HTMLElement>(".card"));
  return (
    <div class="timeline" ref={room}>
      <p class="timeline-day" aria-live={isPlaying.value ? "off" : "polite"}>
        {frame === undefined ? "" : `${dayText(frame.day, frame)} (${at + 1} of ${shown.length})`}
      </p>
      <Track
        frames={shown}
        at={at}
        isPlaying={isPlaying.value}
        onStep={(to) => {
          isPlaying.value = false;
          step(to);
        }}
        onPlay={() => {
          isPlaying.value = !isPlaying.value;
        }}
      />
      {problem === undefined ? (
        <DaysText frames={shown} isBusy={isBusy || found === undefined} isCut={found?.isCut === true} />
      ) : (
        <ProblemCard problem={problem} />
      )}
      <div class="row wrap timeline-end">
        <label>
          Days a second
          <select
            value={speed.value}
            onChange={(event) => {
              speed.value = Number(event.currentTarget.value) as Speed;
            }}
          >
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <SaveAnimation
          days={shown.map(({ day }) => day)}
          speed={speed.value}
          onStart={() => {
            isPlaying.value = false;
          }}
        />
      </div>
    </div>
  );
}
