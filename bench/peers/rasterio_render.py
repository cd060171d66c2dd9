"""Map tiles, extractions and points with rasterio, the way rio-tiler and TiTiler do them.

As a program it answers one line of JSON with another, so that the benchmark can take turns with it.
"""

import json
import resource
import sys
import time

import numpy
import rasterio
from rasterio.enums import Resampling
from rasterio.io import MemoryFile
from rasterio.transform import from_bounds
from rasterio.vrt import WarpedVRT
from rasterio.warp import calculate_default_transform, transform

RDYLGN = None


def read_tile(path, bounds, size):
    """rio-tiler's part(): a VRT no coarser than the file, read at the size of the tile, so that overviews are used."""
    with rasterio.open(path) as src:
        native, _, _ = calculate_default_transform(src.crs, "EPSG:3857", src.width, src.height, *src.bounds)
        wanted = from_bounds(*bounds, size, size)
        across = min(wanted.a, native.a)
        down = min(-wanted.e, -native.e)
        width = max(1, round((bounds[2] - bounds[0]) / across))
        height = max(1, round((bounds[3] - bounds[1]) / down))
        with WarpedVRT(
            src,
            crs="EPSG:3857",
            transform=from_bounds(*bounds, width, height),
            width=width,
            height=height,
            resampling=Resampling.bilinear,
            src_nodata=0,
            nodata=0,
        ) as vrt:
            data = vrt.read(out_shape=(vrt.count, size, size), resampling=Resampling.bilinear)
            mask = vrt.dataset_mask(out_shape=(size, size))
    return data, mask


def rescale(data, low, high):
    return ((numpy.clip(data, low, high) - low) / (high - low) * 255).astype("uint8")


def draw_tile(kind, paths, bounds, size, form):
    parts = [read_tile(path, bounds, size) for path in paths]
    mask = parts[0][1]
    for _, other in parts[1:]:
        mask = numpy.minimum(mask, other)
    if kind == "visual":
        colours = parts[0][0]
    elif kind == "rgb16":
        colours = rescale(numpy.concatenate([data for data, _ in parts]).astype("float32"), 1000, 5000)
    else:
        nir, red = (data[0].astype("float32") for data, _ in parts)
        index = rescale((nir - red) / (nir + red - 2000), -0.2, 0.8)
        colours = numpy.stack([255 - index, index, index // 2])
    if form == "png" and not mask.all():
        colours = numpy.concatenate([colours, mask[numpy.newaxis]])
    profile = {"driver": "PNG", "ZLEVEL": 6} if form == "png" else {"driver": "JPEG", "QUALITY": 75}
    with MemoryFile() as memory:
        with memory.open(
            count=colours.shape[0], width=size, height=size, dtype="uint8", **profile
        ) as dst:
            dst.write(colours)
        return memory.read()


def read_points(paths, x, y):
    values = []
    for path in paths:
        with rasterio.open(path) as src:
            (px,), (py,) = transform("EPSG:4326", src.crs, [x], [y])
            values.append([value.item() for value in next(src.sample([(px, py)]))])
    return values


def cpu_now():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    env = rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR")
    with env:
        for line in sys.stdin:
            order = json.loads(line)
            start, cpu = time.perf_counter(), cpu_now()
            for _ in range(order["times"]):
                if order["op"] == "tile":
                    result = len(
                        draw_tile(order["kind"], order["paths"], order["bounds"], order["size"], order["format"])
                    )
                else:
                    result = read_points(order["paths"], order["x"], order["y"])
            print(
                json.dumps(
                    {
                        "wall": (time.perf_counter() - start) * 1000 / order["times"],
                        "cpu": (cpu_now() - cpu) * 1000 / order["times"],
                        "result": result,
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    main()
