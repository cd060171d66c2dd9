/** Time that the pointer rests before values are requested, milliseconds. */
export const REST_MS = 220;
