import { runDoctorCommand } from "../open/doctor/command.ts";
import { EnvironmentError, parseEnvironment } from "../open/environment/environment.ts";
import { unknownVariables } from "../open/environment/unknown-variables.ts";
import { VARIABLE_NAMES } from "../open/environment/variables.ts";

/** Longest time for which an unanswered look-up of a name keeps the process after its report, milliseconds. */
const LINGER_MS = 500;

// the owner's command line that examines upstreams; it needs no store and changes nothing
try {
  for (const line of unknownVariables(Object.keys(process.env), VARIABLE_NAMES)) console.warn(`swath: ${line}`);
  process.exitCode = await runDoctorCommand(process.argv.slice(2), {
    environment: parseEnvironment(process.env),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  });
} catch (error) {
  console.error(error instanceof EnvironmentError ? `swath: ${error.message}` : error);
  process.exitCode = error instanceof EnvironmentError ? 2 : 1;
}
setTimeout(() => process.exit(), LINGER_MS).unref();
