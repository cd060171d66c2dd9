import "../styles/account.css";
import { takeFromAddress } from "../api/address-field.ts";
import { Person } from "../api/person.ts";
import { problemFrom } from "../api/problem-from.ts";
import { problemCard } from "../ui/problem-element.tsx";
import { mapAddress } from "../view/remembered-view.ts";
import { type Account, AccountApi } from "./account-api.ts";
import { h } from "./dom.ts";
import { KeysView } from "./keys-view.ts";
import { MapsView } from "./maps-view.ts";
import { profileView } from "./profile-view.ts";
import { followedLinkView, signInView } from "./sign-in-view.ts";
import { UsageView } from "./usage/usage-view.ts";

/** The page: a form to sign in, or the account of the tab's session. */
class AccountPage {
  readonly #root: HTMLElement;
  readonly #person = new Person();
  readonly #api: AccountApi;
  #keys: KeysView | undefined;
  #maps: MapsView | undefined;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#api = new AccountApi({
      base: new URL("/", location.href),
      person: this.#person,
      onEnded: () => this.#showSignIn(h("p", { class: "note", role: "status" }, "Your session has ended.")),
    });
    // a mailed link may be opened in a tab that shows the page already
    addEventListener("hashchange", () => void this.open());
    // a page that the browser keeps for its "back" button keeps no secret
    addEventListener("pagehide", () => {
      this.#keys?.forgetSecret();
      this.#maps?.forgetSecret();
    });
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) location.reload();
    });
  }

  /** Asks whether to sign in with the token in the address, or shows what the session allows. */
  async open(): Promise<void> {
    const token = takeFromAddress("token");
    if (token !== undefined) this.#askToSignIn(token);
    else if (this.#person.session === undefined) this.#showSignIn();
    else await this.#showSession();
  }

  /** A link may come from somebody else: following it neither uses it up nor changes who is signed in. */
  #askToSignIn(token: string): void {
    this.#show(
      undefined,
      followedLinkView(() => void this.#signIn(token)),
    );
  }

  async #signIn(token: string): Promise<void> {
    this.#showWaiting("Signing in …");
    try {
      this.#showAccount(await this.#api.signIn(token), backToMap());
    } catch (error) {
      this.#showSignIn(problemCard(problemFrom(error)));
    }
  }

  async #showSession(): Promise<void> {
    this.#showWaiting("Opening …");
    try {
      this.#showAccount(await this.#api.account());
    } catch (error) {
      if (this.#person.session === undefined) return;
      const again = h("button", { type: "button", onclick: () => void this.open() }, "Try again");
      const signOut = h("button", { type: "button", onclick: () => void this.#signOut() }, "Sign out");
      this.#show(
        undefined,
        h(
          "div",
          { class: "card sign-in" },
          problemCard(problemFrom(error)),
          h("div", { class: "row" }, again, signOut),
        ),
      );
    }
  }

  async #signOut(): Promise<void> {
    try {
      await this.#api.signOut();
      this.#showSignIn(h("p", { class: "note", role: "status" }, "You are signed out."));
    } catch {
      const text =
        "This tab has forgotten the session, but the service could not be told: there it ends after seven days without use.";
      this.#showSignIn(h("p", { class: "note", role: "alert" }, text));
    }
  }

  #showWaiting(text: string): void {
    this.#show(undefined, h("p", { class: "opening", role: "status" }, text));
  }

  #showSignIn(notice?: HTMLElement): void {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.#show(undefined, signInView(this.#api, notice));
    // screen readers read the notice out; the form is one step further
    const alert = notice?.getAttribute("role") === null ? undefined : notice;
    if (alert === undefined) document.querySelector<HTMLInputElement>("#email")?.focus({ preventScroll: true });
  }

  #showAccount(account: Account, notice?: HTMLElement): void {
    const keys = new KeysView(this.#api, account.limits.keys, () => void usage.load());
    const usage = new UsageView(this.#api, account, () => keys.keys);
    const maps = new MapsView(this.#api);
    const profile = profileView(this.#api, account, () =>
      this.#showSignIn(h("p", { class: "note", role: "status" }, "The account is deleted.")),
    );
    this.#show(
      account,
      h(
        "div",
        {},
        notice,
        h(
          "div",
          { class: "account-grid" },
          h("div", {}, keys.element, maps.element, usage.element),
          h("div", {}, profile),
        ),
      ),
    );
    this.#keys = keys;
    this.#maps = maps;
    void keys.load();
    void maps.load();
  }

  #show(account: Account | undefined, content: HTMLElement): void {
    this.#keys = undefined;
    this.#maps = undefined;
    const signOut = h("button", { type: "button", onclick: () => void this.#signOut() }, "Sign out");
    this.#root.replaceChildren(
      h(
        "header",
        { class: "site" },
        h("div", { class: "site-name" }, "Swath"),
        h(
          "nav",
          { "aria-label": "Service" },
          h("a", { href: mapAddress() }, "Explorer"),
          h("a", { href: "/docs" }, "Documentation"),
        ),
        account !== undefined && h("div", { class: "who" }, h("span", { class: "email" }, account.email), signOut),
      ),
      h("main", {}, account !== undefined && h("h1", { class: "hidden" }, "Your account"), content),
    );
  }
}

/** Tells people who came by a mailed link how to go on. */
function backToMap(): HTMLElement {
  return h(
    "p",
    { class: "note back", role: "status" },
    "You are signed in. ",
    h("a", { class: "back-link", href: mapAddress() }, "Back to the map"),
  );
}

const root = document.getElementById("account");
if (root !== null) void new AccountPage(root).open();
