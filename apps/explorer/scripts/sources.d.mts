/** SHA-256 over names and bytes of all sources of the page. */
export function sourcesHash(): string;
/** Whether `dist` holds the page as its sources are now. */
export function isBuilt(): boolean;
