import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The environment of a user of this machine: the system's Node and npm, not those that the lockfile pins, and none of
 * what `npm run` adds.
 */
export function hostEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const rest = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|pnpm_|NODE_OPTIONS$|NODE_PATH$|INIT_CWD$|VITEST|TEST$|SWATH_)/i.test(name),
  );
  return { ...Object.fromEntries(rest), PATH: path.join(delimiter), NO_COLOR: "1", FORCE_COLOR: "0" };
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a user would, to its end. */
export async function runHost(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, env = {}, timeout = 240_000 } = options;
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, {
      cwd,
      timeout,
      env: { ...hostEnvironment(), ...env },
      maxBuffer: 64 * 1_048_576,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "", message } = error as Error & Partial<Ran>;
    return { code: typeof code === "number" ? code : 1, stdout, stderr: stderr || message };
  }
}

/** As `runHost`, but a failure is an error that shows what was printed. */
export async function demand(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await runHost(command, args, options);
  if (code !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${code}\n${stdout.slice(-2000)}\n${stderr.slice(-4000)}`);
  return stdout;
}

/** A command of the checkout's own toolchain. */
export const tool = (name: string): string => join(ROOT, "node_modules", ".bin", name);
