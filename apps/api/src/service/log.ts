import { type Logger, pino } from "pino";
import type { Environment } from "../open/environment/environment.ts";

/** The two ways by which the process writes to standard output. */
export interface Output {
  readonly log: Logger;
  /** Says what people who start the service want to know. */
  readonly print: (line: string) => void;
}

/**
 * Opens the log: short lines on a terminal, JSON elsewhere. On a terminal requests are not logged unless a level is set,
 * so that the addresses which are printed at the start stay in sight. Where JSON is set, what is printed is JSON too.
 *
 * @param stream standard output, and whether it is a terminal
 */
export async function openOutput(
  { logFormat, logLevel }: Pick<Environment, "logFormat" | "logLevel">,
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stdout,
): Promise<Output> {
  const write = (line: string): void => void stream.write(`${line}\n`);
  if (logFormat === "text" || (logFormat === undefined && stream.isTTY === true)) {
    const { default: pretty } = await import("pino-pretty");
    const lines = pretty({
      destination: stream,
      sync: true,
      singleLine: true,
      translateTime: "SYS:HH:MM:ss",
      ignore: "pid,hostname,requestId",
      colorize: stream.isTTY === true,
    });
    return { log: pino({ level: logLevel ?? "warn" }, lines), print: write };
  }
  const log = pino({ level: logLevel ?? "info" }, stream === process.stdout ? undefined : stream);
  return { log, print: logFormat === "json" ? (line) => log.info(line.trim()) : write };
}
