// Lets a process see the replayed archives: node --import …/test/replay/preload.ts with SWATH_REPLAY=http://127.0.0.1:port,
// the address of a running replay server. Worker threads inherit it.
import { resolveAllNames } from "./names.ts";
import { replayFetch } from "./replay-fetch.ts";

const { SWATH_REPLAY } = process.env;
if (SWATH_REPLAY === undefined) throw new Error("Expected SWATH_REPLAY to be the address of a replay server.");
globalThis.fetch = replayFetch(SWATH_REPLAY) as typeof globalThis.fetch;
resolveAllNames();
