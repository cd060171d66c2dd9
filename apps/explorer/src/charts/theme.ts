import { MARK_COLORS } from "./marks.ts";

/** Colors of a chart, as the style sheet gives them for the scheme at hand. */
export interface Theme {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly paper: string;
  readonly accent: string;
  readonly chosen: string;
  readonly marks: readonly string[];
  readonly font: string;
}

export function themeOf(element: Element): Theme {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ink: color("--ink"),
    quiet: color("--quiet"),
    line: color("--line"),
    paper: color("--paper"),
    accent: color("--accent"),
    chosen: color("--chosen"),
    marks: Array.from({ length: MARK_COLORS }, (_, i) => color(`--mark-${i + 1}`)),
    font: `12px ${style.fontFamily}`,
  };
}

export const markColor = (theme: Theme, kind: number): string => theme.marks[kind % theme.marks.length] ?? theme.ink;

/** Runs `act` when the color scheme changes; returns what ends it. */
export function onScheme(act: () => void): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", act);
  return () => dark.removeEventListener("change", act);
}
