/** Runs `run` when it has not been called again for `milliseconds`. */
export function debounced(milliseconds: number, run: () => void): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, milliseconds);
  };
  return Object.assign(ask, { cancel: () => clearTimeout(timer) });
}
