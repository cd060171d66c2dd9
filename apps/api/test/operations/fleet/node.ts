import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../../../../test/tools/child-environment.ts";

const MAIN = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
/** Arguments of Node that start the service from its sources. */
const SOURCE: readonly string[] = ["--conditions=@swath/source", MAIN];

/** A process of the service, started with an environment, that can be killed and started again. */
export class FleetNode {
  readonly name: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #logFile: string | undefined;
  readonly #command: readonly string[];
  #child: ChildProcess | undefined;
  #url: string | undefined;
  /** Largest resident memory seen by `memory`, bytes. */
  peak = 0;

  constructor(name: string, environment: Readonly<Record<string, string>>, logFile?: string, command = SOURCE) {
    this.name = name;
    this.#environment = environment;
    this.#logFile = logFile;
    this.#command = command;
  }

  /** Where it answers; undefined while it is down or still starts, and for workers. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Starts the process and waits until it serves or works. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, this.#command, {
      env: { ...childEnvironment(), PORT: "0", SWATH_WARM_UP: "off", ...this.#environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    const sink = this.#logFile === undefined ? undefined : createWriteStream(this.#logFile, { flags: "a" });
    const faults: string[] = [];
    child.stderr?.on("data", (chunk: Buffer) => {
      faults.push(chunk.toString());
      sink?.write(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code, signal) => {
        this.#url = undefined;
        reject(new Error(`${this.name} ended (${code ?? signal}): ${faults.join("").slice(-2000)}`));
      });
      createInterface({ input: child.stdout as NonNullable<ChildProcess["stdout"]> }).on("line", (line) => {
        sink?.write(`${line}\n`);
        const match = /^Swath (?:listens on (\S+)|carries out)/.exec(line);
        if (match === null) return;
        this.#url = match[1];
        resolve();
      });
    });
  }

  /** Ends the process at once, as the kernel would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Stops the process; returns its exit code: 0 where it stopped in time, since after 9.5 s it ends itself with 1. */
  stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#url = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const ended = once(child, "exit") as Promise<[number | null]>;
    child.kill(signal);
    const [code] = await ended;
    return code;
  }

  /** Resident memory now, bytes. */
  async memory(): Promise<number> {
    const text = await readFile(`/proc/${this.#child?.pid}/status`, "utf8").catch(() => "");
    const bytes = Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024;
    this.peak = Math.max(this.peak, bytes);
    return bytes;
  }
}
