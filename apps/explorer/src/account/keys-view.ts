import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import type { AccountApi, Key } from "./account-api.ts";
import { confirmStep } from "./confirm.ts";
import { h } from "./dom.ts";
import { dayName } from "./months.ts";
import { newKeyForm, newKeySecret } from "./new-key.ts";

function facts(key: Key): string {
  const { created, lastUsed, expires, status } = key;
  const used = lastUsed === null ? "never used" : `last used ${dayName(lastUsed)}`;
  const end =
    expires === null ? "does not expire" : `${status === "expired" ? "expired" : "expires"} ${dayName(expires)}`;
  return [`made ${dayName(created)}`, used, ...(status === "revoked" ? [] : [end])].join(" · ");
}

/** The keys of the account: made, shown once, revoked. */
export class KeysView {
  readonly element: HTMLElement;
  readonly #api: AccountApi;
  readonly #max: number;
  readonly #onLoad: () => void;
  readonly #count = h("p", { class: "quiet", role: "status" });
  readonly #over: HTMLElement;
  readonly #active = h("ul", { class: "keys", "aria-label": "Keys" });
  readonly #ended = h("details", { hidden: true });
  readonly #problem = h("div");
  readonly #making = h("div", { class: "making" });
  readonly #form: HTMLFormElement;
  #keys: readonly Key[] = [];

  /** @param onLoad runs after the list was read. */
  constructor(api: AccountApi, max: number, onLoad: () => void) {
    this.#api = api;
    this.#max = max;
    this.#onLoad = onLoad;
    const text = `Your tier has room for ${max} ${max === 1 ? "key" : "keys"}. Those that you have stay; a new one can be made when fewer are left.`;
    this.#over = h("p", { class: "note", hidden: true }, text);
    this.#form = newKeyForm(async (asked) => {
      const made = await this.#api.createKey(asked);
      this.#form.reset();
      this.#making.replaceChildren(newKeySecret(made, () => this.#showForm(true)));
      await this.load();
    });
    this.element = h(
      "section",
      { class: "card", "aria-labelledby": "keys-title" },
      h("header", {}, h("h2", { id: "keys-title" }, "Keys"), this.#count),
      this.#over,
      this.#problem,
      this.#active,
      this.#making,
      this.#ended,
    );
    this.#showForm(false);
  }

  get keys(): readonly Key[] {
    return this.#keys;
  }

  async load(): Promise<void> {
    try {
      this.#keys = await this.#api.keys();
      this.#problem.replaceChildren();
    } catch (error) {
      this.#problem.replaceChildren(problemCard(problemFrom(error)));
      return;
    }
    const active = this.#keys.filter(({ status }) => status === "active" || status === "suspended");
    const ended = this.#keys.filter((key) => !active.includes(key));
    this.#count.textContent = `${active.length} of ${this.#max} in use`;
    this.#over.hidden = active.length <= this.#max;
    this.#active.replaceChildren(...active.map((key) => this.#entry(key)));
    this.#active.hidden = active.length === 0;
    this.#ended.hidden = ended.length === 0;
    this.#ended.replaceChildren(
      h("summary", {}, `Ended keys (${ended.length})`),
      h(
        "ul",
        { class: "keys", "aria-label": "Ended keys" },
        ended.map((key) => this.#entry(key)),
      ),
    );
    this.#onLoad();
  }

  /** Removes the secret from the page, if one is shown. */
  forgetSecret(): void {
    if (this.#making.querySelector("#new-secret") !== null) this.#showForm(false);
  }

  #showForm(isFocused: boolean): void {
    const open = h("details", { class: "making-form" }, h("summary", {}, "New key"), this.#form);
    this.#making.replaceChildren(open);
    if (isFocused) open.querySelector("summary")?.focus();
  }

  #entry(key: Key): HTMLElement {
    const { name, prefix, scopes, status } = key;
    const hasEnded = status === "revoked" || status === "expired";
    const revoke = h(
      "button",
      { type: "button", "aria-label": `Revoke ${name}`, onclick: () => this.#revoke(key) },
      "Revoke",
    );
    return h(
      "li",
      { "data-key": key.id },
      h(
        "div",
        { class: "key-facts" },
        h(
          "p",
          {},
          h("strong", {}, name),
          h("code", {}, `${prefix}…`),
          scopes.map((scope) => h("span", { class: "tag" }, scope)),
          status !== "active" && h("span", { class: "tag ended" }, status),
        ),
        h("p", { class: "quiet" }, facts(key)),
      ),
      !hasEnded && revoke,
    );
  }

  #revoke({ id, name, prefix }: Key): void {
    confirmStep({
      title: `Revoke “${name}”?`,
      text: `Programs that use the key ${prefix}… are refused within a minute. It cannot be brought back.`,
      action: "Revoke",
      run: async () => {
        await this.#api.revoke(id);
        await this.load();
      },
    });
  }
}
