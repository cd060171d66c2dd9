/**
 * Names of the web platform that our types mention. They are empty here and merge with those of the DOM library or of Node's
 * types, so that projects that have neither can check our declarations.
 */
declare global {
  interface AbortSignal {}
  // biome-ignore lint/suspicious/noExplicitAny: merging asks for the very parameters of the DOM library
  interface ReadableStream<R = any> {}
}

export {};
