/** Things of a cell of a square lattice and of its eight neighbours. */
export interface Around {
  /** Things that there are; the arrays may be longer. */
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Radius or number, as `list` gives it. */
  readonly value: Float64Array;
}

/**
 * Returns a function that lists the things around a cell. Neighbouring points share a cell, so the last list is kept.
 *
 * @param list adds the thing of a cell, of which there is one at most
 */
export function createAround(
  list: (cellX: number, cellY: number, add: (x: number, y: number, value: number) => void) => void,
): (cellX: number, cellY: number) => Around {
  const around = { count: 0, x: new Float64Array(9), y: new Float64Array(9), value: new Float64Array(9) };
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  const add = (x: number, y: number, value: number): void => {
    around.x[around.count] = x;
    around.y[around.count] = y;
    around.value[around.count++] = value;
  };
  return (cellX, cellY) => {
    if (cellX === lastX && cellY === lastY) return around;
    around.count = 0;
    for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) list(cellX + i, cellY + j, add);
    [lastX, lastY] = [cellX, cellY];
    return around;
  };
}
