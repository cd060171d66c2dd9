import { render } from "preact";
import type { Problem } from "../api/api-error.ts";
import { ProblemCard } from "./problem-card.tsx";

/** A {@link ProblemCard} as an element, for pages that are not made of components. */
export function problemCard(problem: Problem): HTMLElement {
  const parent = document.createElement("div");
  render(<ProblemCard problem={problem} />, parent);
  return parent.firstElementChild as HTMLElement;
}
