/** @returns the id of the process that has the lock; undefined where this one has it now */
export function takeLock(file: string): number | undefined;
export function releaseLock(file: string): void;
/** @param onWait told the id of the process that is waited for, once for each */
export function waitForLock(file: string, onWait: (pid: number) => void): Promise<void>;
