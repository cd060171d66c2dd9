import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/**
 * Chromium as machines have it. The one without windows comes first: it draws the same pages and spends a third less on it,
 * since nothing is composed for a screen.
 */
const path = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((each) => each !== undefined && existsSync(each));

/** Tests in a browser are skipped without one. */
export const hasChromium = path !== undefined;

/** Starts Chromium without a graphics card, WebGL runs on SwiftShader, and without anything that calls home. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: path ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
