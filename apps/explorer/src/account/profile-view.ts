import { problemFrom } from "../api/problem-from.ts";
import { count } from "../ui/format.ts";
import { problemCard } from "../ui/problem-element.tsx";
import type { Account, AccountApi } from "./account-api.ts";
import { confirmStep } from "./confirm.ts";
import { h } from "./dom.ts";
import { dayName } from "./months.ts";

function limitsList({ limits, tier }: Account): HTMLElement {
  const { unitsPerMonth, unitsPerMinute, requestsPerMinute, concurrentRequests, keys } = limits;
  const facts: readonly (readonly [string, string])[] = [
    ["Tier", tier.replace(/^\w/, (letter) => letter.toUpperCase())],
    ["Units a month", count(unitsPerMonth)],
    ["Units a minute", count(unitsPerMinute)],
    ["Requests a minute", count(requestsPerMinute)],
    ["Requests at a time", count(concurrentRequests)],
    ["Keys", count(keys)],
  ];
  return h(
    "dl",
    { class: "facts" },
    facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

/** The account itself: its name, its limits, and its end. `onDeleted` runs when it is gone. */
export function profileView(api: AccountApi, account: Account, onDeleted: () => void): HTMLElement {
  const name = h("input", {
    id: "account-name",
    type: "text",
    required: true,
    maxlength: 64,
    autocomplete: "name",
    value: account.name ?? "",
  });
  const said = h("span", { class: "quiet", role: "status" });
  const problem = h("div");
  const save = h("button", { type: "submit" }, "Save");
  const form = h(
    "form",
    { class: "field" },
    h("label", { for: "account-name" }, "Name"),
    h("div", { class: "row" }, name, save),
    said,
    problem,
  );
  name.addEventListener("input", () => {
    said.textContent = "";
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save.disabled = true;
    problem.replaceChildren();
    api
      .rename(name.value.trim())
      .then((changed) => {
        name.value = changed.name ?? "";
        said.textContent = "Saved.";
      })
      .catch((error: unknown) => problem.replaceChildren(problemCard(problemFrom(error))))
      .finally(() => {
        save.disabled = false;
      });
  });
  const remove = h("button", { type: "button", class: "danger" }, "Delete the account");
  remove.addEventListener("click", () =>
    confirmStep({
      title: "Delete the account?",
      text: "Its keys, tokens and sessions stop within a minute, and its address and name are forgotten. This cannot be undone.",
      action: "Delete",
      typed: { label: `Type ${account.email} to confirm`, value: account.email },
      run: async () => {
        await api.remove();
        onDeleted();
      },
    }),
  );
  return h(
    "section",
    { class: "card", "aria-labelledby": "profile-title" },
    h(
      "header",
      {},
      h("h2", { id: "profile-title" }, "Account"),
      h("p", { class: "quiet" }, `since ${dayName(account.created)}`),
    ),
    form,
    limitsList(account),
    h("div", {}, remove),
  );
}
