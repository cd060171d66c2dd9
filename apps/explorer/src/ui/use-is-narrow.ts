import { useEffect, useState } from "preact/hooks";

/** The width below which the panel lies under the map, as the style sheet has it. */
const NARROW = "(max-width: 46rem)";

/** Whether the window is as narrow as a phone's. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const follow = (): void => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}
