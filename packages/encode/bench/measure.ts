/** Runs `work` `times` times after a warm-up and prints the least time and the median, with a note. */
export async function measure<T>(
  name: string,
  times: number,
  work: () => Promise<T>,
  note: (result: T) => string,
): Promise<void> {
  for (let i = 0; i < Math.min(10, times); i++) await work();
  const durations: number[] = [];
  let result: T | undefined;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    result = await work();
    durations.push(performance.now() - start);
  }
  durations.sort((a, b) => a - b);
  const median = durations[durations.length >> 1] as number;
  const least = durations[0] as number;
  console.log(
    `${name.padEnd(44)} ${least.toFixed(2).padStart(9)} ms  median ${median.toFixed(2).padStart(9)} ms  ${note(result as T)}`,
  );
}
