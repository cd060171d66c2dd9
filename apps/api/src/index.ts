export { runService } from "./service/run-service.ts";
