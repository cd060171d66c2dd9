import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/api-error.ts";
import { problemFrom } from "../api/problem-from.ts";
import type { Tool, ToolProps } from "../tool.ts";
import { ProblemCard } from "./problem-card.tsx";

/** Shows a tool, which is loaded when it is first active and stays from then on. */
export function LazyRoom({ tool, isActive }: ToolProps & { readonly tool: Tool }): JSX.Element | null {
  const [room, setRoom] = useState<{ readonly Component: ComponentType<ToolProps> } | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  useEffect(() => {
    if (!isActive || room !== undefined) return;
    tool.load().then(
      (Component) => setRoom({ Component }),
      (error: unknown) => setProblem(problemFrom(error)),
    );
  }, [isActive, room, tool]);
  if (room !== undefined) return <room.Component isActive={isActive} />;
  if (problem !== undefined) return <ProblemCard problem={problem} />;
  return isActive ? (
    <p class="quiet" role="status">
      Loading …
    </p>
  ) : null;
}
