/** The values of an element: its attributes, and the key or token that the page gave it. */
export interface Values {
  readonly attributes: (name: string) => string | null;
  readonly credential?: Credential | undefined;
}

/** A key of an account, or a token of a session. */
export type Credential = { readonly key: string } | { readonly token: string };

/** Code that draws a part of a page; it is loaded when the part is first seen. */
export interface Room {
  /** Draws into a shadow tree, again where values have changed. */
  show(root: ShadowRoot, values: Values): void;
  hide(root: ShadowRoot): void;
}

/** A custom element that shows a part of the explorer in a page of others: in a shadow tree, with styles of its own. */
export abstract class Part extends HTMLElement {
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #seen = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) this.#start();
  });
  #loading: Promise<void> | undefined;
  #room: Room | undefined;
  #isDue = false;
  #credential: Credential | undefined;

  protected abstract load(): Promise<Room>;

  get credential(): Credential | undefined {
    return this.#credential;
  }

  /** The key or token that requests to `api` have. It is a property alone: markup can be read by everybody. */
  set credential(credential: Credential | undefined) {
    this.#credential = credential;
    this.#changed();
  }

  connectedCallback(): void {
    // a page may have set it before this code was there
    const early = Object.getOwnPropertyDescriptor(this, "credential");
    if (early !== undefined) {
      Reflect.deleteProperty(this, "credential");
      this.credential = early.value as Credential | undefined;
    }
    if (this.#room === undefined) this.#say("status", "Loading …");
    this.#seen.observe(this);
    this.#changed();
  }

  disconnectedCallback(): void {
    this.#seen.disconnect();
    this.#changed();
  }

  attributeChangedCallback(): void {
    this.#changed();
  }

  /** Draws once after all changes of the same moment: an element that is moved is taken away and put back. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.isConnected) this.#room?.hide(this.#root);
      else
        this.#room?.show(this.#root, { attributes: (name) => this.getAttribute(name), credential: this.#credential });
    });
  }

  #start(): void {
    this.#seen.disconnect();
    this.#loading ??= this.load().then(
      (room) => {
        this.#root.replaceChildren();
        this.#room = room;
        this.#changed();
      },
      () => {
        this.#loading = undefined;
        this.#say("alert", "This part of the page could not be loaded.");
      },
    );
  }

  #say(role: "status" | "alert", text: string): void {
    const line = document.createElement("p");
    line.role = role;
    line.textContent = text;
    this.#root.replaceChildren(line);
  }
}
