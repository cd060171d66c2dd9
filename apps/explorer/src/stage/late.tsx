import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { problemFrom } from "../api/problem-from.ts";
import { useExplorer } from "../state/explorer.ts";

/** Shows a component that is loaded when it is first shown. */
export function Late({ load }: { readonly load: () => Promise<ComponentType> }): JSX.Element | null {
  const { notices } = useExplorer();
  const [room, setRoom] = useState<{ readonly of: typeof load; readonly Component: ComponentType } | undefined>(
    undefined,
  );
  useEffect(() => {
    if (room?.of === load) return;
    load().then(
      (Component) => setRoom({ of: load, Component }),
      (error: unknown) => notices.report(problemFrom(error)),
    );
  }, [load, room, notices]);
  return room === undefined || room.of !== load ? null : <room.Component />;
}
