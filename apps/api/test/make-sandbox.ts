import { makeSandbox } from "@swath/sandbox/node";

const [directory = "", day = ""] = process.argv.slice(2);
await makeSandbox(directory, { now: new Date(day) });
