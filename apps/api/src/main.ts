import { runService } from "#service";

await runService(process.env);
// whoever started this process as a child of theirs, `npm start` or a manager of processes, may wait for it
process.send?.("ready");
