/**
 * Pixels ready for an encoder, row-major and interleaved: 1 (grey, or index into `palette`), 3 (RGB) or 4 (RGBA, alpha
 * not premultiplied) bytes per pixel. `palette` holds n × RGBA, n at most 256, and goes with one channel.
 */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly data: Uint8Array;
  readonly palette?: Uint8Array;
}
