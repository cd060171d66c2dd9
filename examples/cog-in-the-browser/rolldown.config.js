export default {
  input: "main.ts",
  platform: "browser",
  output: { dir: "dist", minify: true },
};
