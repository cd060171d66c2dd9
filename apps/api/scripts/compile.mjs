// Fills NODE_COMPILE_CACHE with the compiled code of the service and its render threads: starts the built service as the image
// does, and ends it as soon as it listens.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const service = fork(fileURLToPath(new URL("../dist/main.js", import.meta.url)), {
  // code that was compiled with other options of V8 is not read
  execArgv: ["--max-semi-space-size=4", "--initial-old-space-size=64"],
});
service.once("message", () => service.kill("SIGTERM"));
service.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
