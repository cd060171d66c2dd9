declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the synthetic archive that tests of the whole service share; they only read it. */
    sandbox: string;
    /** Address that answers with that of the service which test files have in common. */
    commonService: string;
  }
}

export {};
