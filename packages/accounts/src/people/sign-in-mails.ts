import { randomUUID } from "node:crypto";
import type { Log, Store, StoreRow } from "@swath/store";
import { MailError, type Mailer } from "../mail/mailer.ts";
import { signInMail } from "../mail/sign-in-mail.ts";
import { hashOf } from "../secrets/secret-hash.ts";
import { makeSecret } from "../secrets/secrets.ts";
import { LINK_MS } from "./sign-in.ts";

/** Mails that one address gets in an hour: whoever signs up others' addresses does not fill their mailboxes. */
const MAX_MAILS = 5;
/** Mails that wait to be sent, of all addresses. */
const MAX_WAITING = 1000;
/** Time for which a mail is tried, milliseconds. */
const TRIED_MS = 3_600_000;
/** A mail that a node was sending is another's after this time: the node has died. */
const LEASE_MS = 60_000;
const POLL_MS = 5000;
/** Mails that a node sends at a time. */
const MAX_RUNNING = 6;

/** A mail with a link that is asked for. */
export interface MailRequest {
  /** As `parseEmailAddress` gives it. Whether it has an account is not looked at. */
  readonly email: string;
  /** Name of the account, if this link makes it. */
  readonly name: string | undefined;
  /** Address of the service or its website, without a trailing slash: where the link leads. */
  readonly base: string;
}

/** A row of the table: no secret is in it, since the link is made when it is sent. */
interface WaitingMail extends MailRequest {
  readonly id: string;
  readonly created: number;
  readonly attempts: number;
}

export interface SignInMailsOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly now: () => number;
  readonly log: Log;
}

const SQL = {
  waiting: "select count(*) as mails from mail",
  recent: `select (select count(*) from sign_in_link where email = $1 and created > $2)
    + (select count(*) from mail where email = $1 and link is null) as mails`,
  add: "insert into mail(id, email, name, base, created, due, attempts) values ($1, $2, $3, $4, $5, $5, 0)",
  claim: `update mail set due = $2, attempts = attempts + 1 where due <= $1
    and id = (select id from mail where due <= $1 order by due, id limit 1)
    returning id, email, name, base, created, attempts`,
  link: "insert into sign_in_link(hash, email, name, created, expires) values ($1, $2, $3, $4, $5)",
  sending: "update mail set link = $2 where id = $1 returning id",
  remove: "delete from mail where id = $1",
  again: "update mail set link = null, due = $2 where id = $1",
  unlink: "delete from sign_in_link where hash = $1",
};

/**
 * Mails with links to sign in, as rows of the store until they are sent: none is lost with its process. An answer does not
 * wait for them, so its time says nothing about their receivers. One that cannot be sent is tried for an hour, and then
 * gives its place among the five of its address back.
 */
export class SignInMails {
  readonly #options: SignInMailsOptions;
  readonly #running = new Map<Promise<void>, { email: string | undefined }>();
  readonly #timer: NodeJS.Timeout;
  #closed = false;

  constructor(options: SignInMailsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), POLL_MS);
    this.#timer.unref();
    // mails that a process before this one has left
    this.wake();
  }

  /**
   * Takes a mail, which is then sent.
   *
   * @returns `enough`: the address has got enough mails in this hour. `full`: too many wait to be sent.
   */
  async request({ email, name, base }: MailRequest): Promise<"taken" | "enough" | "full"> {
    const { store, now } = this.#options;
    // of one address one after the other; strangers' sign-ups do not wait for each other
    const outcome = await store.transaction(`sign-in link ${email}`, async (db) => {
      const time = now();
      const [all] = await db.query(SQL.waiting);
      if (Number(all?.mails) >= MAX_WAITING) return "full";
      const [own] = await db.query(SQL.recent, [email, time - LINK_MS]);
      if (Number(own?.mails) >= MAX_MAILS) return "enough";
      await db.query(SQL.add, [randomUUID(), email, name ?? null, base, time]);
      return "taken";
    });
    if (outcome === "taken") this.wake();
    return outcome;
  }

  /** Sends what is due, in the background; runs every five seconds by itself. */
  wake(): void {
    if (this.#closed || this.#running.size >= MAX_RUNNING) return;
    const at: { email: string | undefined } = { email: undefined };
    const work = this.#work(at).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, "waiting mails could not be read");
    });
    this.#running.set(work, at);
    void work.then(() => this.#running.delete(work));
  }

  /** Resolves when this node sends no mail. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.keys());
  }

  /** Removes what the mailer keeps of an address, once no mail to it is on its way. Its rows are gone by then. */
  async forget(email: string): Promise<void> {
    await Promise.all([...this.#running].map(([work, at]) => (at.email === email ? work : undefined)));
    await this.#options.mailer.forget?.(email);
  }

  /** Waits a while for mails on their way, then closes the mailer. What was not sent is sent by the next process. */
  async close(ms = 2000): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
    this.#options.mailer.close();
  }

  async #work(at: { email: string | undefined }): Promise<void> {
    while (!this.#closed) {
      const mail = await this.#claim();
      if (mail === undefined) return;
      at.email = mail.email;
      await this.#send(mail);
      at.email = undefined;
    }
  }

  async #claim(): Promise<WaitingMail | undefined> {
    const { store, now } = this.#options;
    const time = now();
    const [row] = await store.query(SQL.claim, [time, time + LEASE_MS]);
    return row === undefined ? undefined : mailOf(row);
  }

  async #send(mail: WaitingMail): Promise<void> {
    const { store, mailer } = this.#options;
    const link = makeSecret();
    if (!(await this.#issue(mail, hashOf(link)))) return;
    try {
      await mailer.send(signInMail(mail.email, mail.base, link));
    } catch (error) {
      await this.#failed(mail, hashOf(link), error);
      return;
    }
    await store.query(SQL.remove, [mail.id]);
  }

  /** Makes the link of a mail. False: the mail was removed meanwhile, with the account of its address. */
  async #issue({ id, email, name }: WaitingMail, hash: string): Promise<boolean> {
    const { store, now } = this.#options;
    return store.transaction(`sign-in link ${email}`, async (db) => {
      if ((await db.query(SQL.sending, [id, hash])).length === 0) return false;
      const time = now();
      await db.query(SQL.link, [hash, email, name ?? null, time, time + LINK_MS]);
      return true;
    });
  }

  /** A link that reached nobody does not count; its mail is tried again, unless it was refused for good. */
  async #failed({ id, email, created, attempts }: WaitingMail, hash: string, error: unknown): Promise<void> {
    const { store, now, log } = this.#options;
    const facts = error instanceof MailError ? { code: error.code, reply: error.reply } : { code: "failed" };
    const due = now() + waitAfter(attempts);
    const isTriedAgain = due < created + TRIED_MS && !isFinal(error);
    await store.transaction(`sign-in link ${email}`, async (db) => {
      await db.query(SQL.unlink, [hash]);
      await (isTriedAgain ? db.query(SQL.again, [id, due]) : db.query(SQL.remove, [id]));
    });
    log.warn({ ...facts, attempts, isTriedAgain }, "a mail was not sent");
  }
}

/** 5 s after the first attempt, then three times as long each time, ten minutes at most. */
function waitAfter(attempts: number): number {
  return Math.min(600_000, 5000 * 3 ** (attempts - 1));
}

/** A permanent reply of the mail server (RFC 5321 section 4.2.1). */
function isFinal(error: unknown): boolean {
  return error instanceof MailError && error.code === "rejected" && (error.reply ?? 0) >= 500;
}

function mailOf(row: StoreRow): WaitingMail {
  return {
    id: String(row.id),
    email: String(row.email),
    name: row.name === null ? undefined : String(row.name),
    base: String(row.base),
    created: Number(row.created),
    attempts: Number(row.attempts),
  };
}
