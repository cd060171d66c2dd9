export { runService } from "#service";
