import { BlockCache, type Cog, FileCache, openCog, readGrids, type Source } from "../packages/cog/src/index.ts";
import { fileSource, nodeCodecs } from "../packages/cog/src/node.ts";
import { resolveCrs } from "../packages/raster/src/index.ts";
import { gridSpec, tileAt } from "./jobs.ts";
import { type Bench, mb, table } from "./table.ts";
import { filesOf } from "./tile-peers.ts";

const ZOOMS = [8, 11, 14] as const;

/** Requests and bytes that a cold tile costs: counted, not timed. */
export async function bytesPerTile({ directory, print }: Bench): Promise<void> {
  const rows: string[][] = [];
  for (const kind of ["visual", "rgb16", "ndvi"] as const) {
    for (const z of ZOOMS) {
      const reads: { offset: number; length: number }[] = [];
      const headers = new FileCache<Cog>({ maxBytes: 1e8 });
      const cogs = await Promise.all(
        filesOf(directory, kind).map((path) =>
          openCog(counted(fileSource(path), reads), { cache: headers, codecs: nodeCodecs }),
        ),
      );
      const opening = reads.length;
      const openingBytes = sum(reads.map(({ length }) => length));
      const { crs, ...grid } = gridSpec(tileAt(z));
      const cache = new BlockCache({ maxBytes: 5e8 });
      await readGrids(
        cogs.map((file) => ({ file })),
        { ...grid, crs: resolveCrs(crs) },
        { resampling: "bilinear", cache },
      );
      const bytes = sum(reads.slice(opening).map(({ length }) => length));
      rows.push([
        `${kind} z${z}`,
        String(opening),
        String(Math.round(openingBytes / 1024)),
        String(reads.length - opening),
        String(Math.round(bytes / 1024)),
        String(cache.use.entries),
        mb(cache.use.bytes),
      ]);
    }
  }
  print(table(["tile", "requests to open", "kB", "requests for blocks", "kB", "blocks", "decoded MB"], rows));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function counted(source: Source, reads: { offset: number; length: number }[]): Source {
  return {
    key: source.key,
    get size() {
      return source.size;
    },
    get version() {
      return source.version;
    },
    read(offset, length, options) {
      reads.push({ offset, length });
      return source.read(offset, length, options);
    },
  };
}
