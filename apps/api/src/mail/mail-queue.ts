import type { Logger } from "pino";
import { type Mail, MailError, type Mailer } from "./mailer.ts";

const MAX_WAITING = 1000;

/** Mails on their way: an answer does not wait for them, so its time says nothing about their receivers. */
export class MailQueue {
  readonly #mailer: Mailer;
  readonly #log: Logger;
  readonly #waiting = new Set<Promise<void>>();

  constructor(mailer: Mailer, log: Logger) {
    this.#mailer = mailer;
    this.#log = log;
  }

  /** Whether so many mails wait that no further one is taken. */
  get isFull(): boolean {
    return this.#waiting.size >= MAX_WAITING;
  }

  /** Sends a mail in the background. A failure is logged without its receiver, who may ask for another one. */
  post(mail: Mail): void {
    const sent = this.#mailer.send(mail).catch((error: unknown) => {
      const facts = error instanceof MailError ? { code: error.code, reply: error.reply } : { code: "failed" };
      this.#log.warn(facts, "a mail was not sent");
    });
    this.#waiting.add(sent);
    void sent.then(() => this.#waiting.delete(sent));
  }

  /** Resolves when no mail is on its way. */
  async idle(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  /** Waits a while for mails on their way, then closes the mailer. */
  async close(ms = 2000): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
    this.#mailer.close();
  }
}
