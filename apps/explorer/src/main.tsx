import "./styles/index.css";
import { render } from "preact";
import { takeFromAddress } from "./api/address-field.ts";
import { Person } from "./api/person.ts";
import { problemFrom } from "./api/problem-from.ts";
import { memoryOf, serviceAddress } from "./api/service-address.ts";
import { askForKey } from "./key/key-dialog.tsx";
import { Page } from "./page.tsx";
import { followAddress } from "./state/follow-address.ts";
import { followScene } from "./state/follow-scene.ts";
import { openExplorer } from "./state/open-explorer.ts";
import { ProblemCard } from "./ui/problem-card.tsx";
import { RetryButton } from "./ui/retry-button.tsx";

/** Opens the page; where the service does not answer, it says so and can be asked again. */
async function main(root: HTMLElement): Promise<void> {
  const brought = takeFromAddress("key");
  render(
    <p class="opening" role="status">
      Opening …
    </p>,
    root,
  );
  try {
    const service = serviceAddress(location.href, STATIC_SERVICE);
    const person = new Person(memoryOf(service));
    if (brought !== undefined) person.key = brought;
    const explorer = await openExplorer(service, person, (question) => askForKey(service, question));
    followScene(explorer);
    followAddress(explorer);
    render(<Page explorer={explorer} />, root);
    if (!explorer.canSee.value) await explorer.useKey();
  } catch (error) {
    render(
      <div class="opening">
        <ProblemCard problem={problemFrom(error)} />
        <RetryButton after={problemFrom(error).retryAfter} onRetry={() => void main(root)} />
      </div>,
      root,
    );
  }
}

// an address with a key may be opened in a tab that shows the page already
addEventListener("hashchange", () => {
  const key = takeFromAddress("key");
  if (key === undefined) return;
  new Person(memoryOf(serviceAddress(location.href, STATIC_SERVICE))).key = key;
  location.reload();
});
const root = document.getElementById("app");
if (root !== null) void main(root);
