import type { JSX } from "preact";
import { useExplorer } from "../state/explorer.ts";
import { ProblemCard } from "../ui/problem-card.tsx";
import { RetryButton } from "../ui/retry-button.tsx";

/** The message over the map, with what can be done about it. */
export function NoticeBox(): JSX.Element {
  const explorer = useExplorer();
  const notice = explorer.notices.current.value;
  const canUseKey = notice?.kind === "problem" && !explorer.api.credentials.hasOwn;
  return (
    <div class="notice" role="status" hidden={notice === undefined}>
      {notice?.kind === "words" && notice.text}
      {notice?.kind === "problem" && (
        <div>
          <ProblemCard problem={notice.problem} />
          <div class="row">
            {notice.retry !== undefined && <RetryButton after={notice.problem.retryAfter} onRetry={notice.retry} />}
            {canUseKey && (
              <button type="button" class="small" onClick={() => void explorer.useKey()}>
                Use a key
              </button>
            )}
          </div>
        </div>
      )}
      <button type="button" class="close" aria-label="Close this message" onClick={() => explorer.notices.clear()}>
        ×
      </button>
    </div>
  );
}
