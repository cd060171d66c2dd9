/** Makes one file of frames. */
export interface Encoder {
  add(frame: HTMLCanvasElement): Promise<void>;
  finish(): Promise<Blob>;
  /** Frees what an unfinished animation holds, where that is not memory alone. */
  cancel?(): Promise<void>;
}
