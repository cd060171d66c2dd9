/** A list of numbers that grows, without an object for each. */
export class NumberList {
  #numbers = new Float64Array(1024);
  length = 0;

  push(...numbers: number[]): void {
    if (this.length + numbers.length > this.#numbers.length) {
      const longer = new Float64Array(Math.max(this.#numbers.length * 1.5, this.length + numbers.length) | 0);
      longer.set(this.#numbers.subarray(0, this.length));
      this.#numbers = longer;
    }
    this.#numbers.set(numbers, this.length);
    this.length += numbers.length;
  }

  /** The numbers in an array of their own. The list is empty afterwards. */
  take(): Float64Array {
    const taken = this.#numbers.slice(0, this.length);
    this.#numbers = new Float64Array(0);
    this.length = 0;
    return taken;
  }
}
