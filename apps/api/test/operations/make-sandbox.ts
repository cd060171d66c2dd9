import { makeSandbox } from "@swath/sandbox/node";

/** Without a day: made now, unless there is one that a service would take as it is. */
const [directory = "", day] = process.argv.slice(2);
await makeSandbox(directory, day === undefined ? {} : { now: new Date(day) });
