import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

interface RetryProps {
  /** Seconds that the service asked to wait for; absent: none. */
  readonly after: number | undefined;
  readonly onRetry: () => void;
}

const SECOND_MS = 1000;

/** Tries again, not before the service wants it: until then it counts down. */
export function RetryButton({ after = 0, onRetry }: RetryProps): JSX.Element {
  const [left, setLeft] = useState(Math.ceil(after));
  useEffect(() => {
    const end = Date.now() + after * SECOND_MS;
    setLeft(Math.ceil(after));
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS));
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    }, SECOND_MS / 4);
    return () => clearInterval(timer);
  }, [after]);
  return (
    <button type="button" class="small" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Try again in ${left} s` : "Try again"}
    </button>
  );
}
