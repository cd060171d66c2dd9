import { runService } from "./service/run-service.ts";

await runService(process.env);
