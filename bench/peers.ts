import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

interface Answer {
  readonly wall: number;
  readonly cpu: number;
  readonly result: unknown;
}

/** rasterio in a Python process that takes orders, so that it and this process can take turns. */
export class RasterioPeer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  constructor() {
    this.#child = spawn("/usr/bin/python3", ["-W", "ignore", join(import.meta.dirname, "peers/rasterio_render.py")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Milliseconds of one run, by the clock and of CPU. */
  async run(order: object): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("rasterio gave up.");
    return JSON.parse(value) as Answer;
  }

  close(): void {
    this.#reader.close();
    this.#child.kill();
  }
}
