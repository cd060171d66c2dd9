declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the synthetic archive that tests of the whole service share; they only read it. */
    sandbox: string;
  }
}

export {};
