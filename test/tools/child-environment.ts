/** Variables of this process that one started with an environment of its own needs too, such as where compiled code is kept. */
export function childEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE = "" } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
}
