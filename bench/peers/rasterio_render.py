"""Map tiles and points with rasterio, the way rio-tiler and TiTiler read them.

As a program it answers one line of JSON with another, so that the benchmark can take turns with it.
"""

import json
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy
import rasterio
from rasterio.enums import Resampling
from rasterio.features import geometry_mask
from rasterio.io import MemoryFile
from rasterio.transform import from_bounds
from rasterio.vrt import WarpedVRT
from rasterio.warp import calculate_default_transform
from rasterio.windows import Window
from rasterio.windows import from_bounds as from_bounds_window

JPEG_QUALITY = 85
KEPT_OPEN = {}


@contextmanager
def opened(path, keep):
    """A dataset that is closed afterwards, as rio-tiler does, or kept open with GDAL's decoded blocks of it."""
    if not keep:
        with rasterio.open(path) as src:
            yield src
        return
    if path not in KEPT_OPEN:
        KEPT_OPEN[path] = rasterio.open(path)
    yield KEPT_OPEN[path]


def read_tile(path, bounds, size, keep=False):
    """rio-tiler's part(): a VRT no coarser than the file, read at the size of the tile, so that overviews are used."""
    with opened(path, keep) as src:
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


def read_mosaic(paths, bounds, size, keep):
    """rio-tiler's mosaic_reader() with FirstMethod: scenes in turn until every pixel is filled."""
    data, mask = read_tile(paths[0], bounds, size, keep)
    for path in paths[1:]:
        if mask.all():
            break
        below, valid = read_tile(path, bounds, size, keep)
        data = numpy.where(mask > 0, data, below)
        mask = numpy.maximum(mask, valid)
    return data, mask


def rescale(data, low, high):
    return ((numpy.clip(data, low, high) - low) / (high - low) * 255).astype("uint8")


def draw_tile(kind, paths, bounds, size, form, zlevel=6, keep=False):
    if kind in ("visual", "mosaic", "mosaic-edge", "grid"):
        colours, mask = read_mosaic(paths, bounds, size, keep)
    else:
        parts = [read_tile(path, bounds, size, keep) for path in paths]
        mask = parts[0][1]
        for _, other in parts[1:]:
            mask = numpy.minimum(mask, other)
    if kind == "rgb16":
        colours = rescale(numpy.concatenate([data for data, _ in parts]).astype("float32"), 1000, 5000)
    elif kind == "ndvi":
        nir, red = (data[0].astype("float32") for data, _ in parts)
        index = rescale((nir - red) / (nir + red - 2000), -0.2, 0.8)
        colours = numpy.stack([255 - index, index, index // 2])
    if form == "png" and not mask.all():
        colours = numpy.concatenate([colours, mask[numpy.newaxis]])
    profile = {"driver": "PNG", "ZLEVEL": zlevel} if form == "png" else {"driver": "JPEG", "QUALITY": JPEG_QUALITY}
    with MemoryFile() as memory:
        with memory.open(
            count=colours.shape[0], width=size, height=size, dtype="uint8", **profile
        ) as dst:
            dst.write(colours)
        return memory.read()


def read_point(path, column, row, keep):
    with opened(path, keep) as src:
        return src.read(1, window=Window(column, row, 1, 1)).item()


def read_points(paths, column, row, keep, threads):
    """One pixel of each file: in turn, or in threads as rio-tiler reads the assets of an item."""
    if threads == 1:
        return [read_point(path, column, row, keep) for path in paths]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda path: read_point(path, column, row, keep), paths))


def read_at(path, x, y):
    with rasterio.open(path) as src:
        row, column = src.index(x, y)
        return src.read(1, window=Window(column, row, 1, 1)).item()


def read_series(scenes, x, y, threads):
    """NDVI at a point, one value per scene: all files of all scenes in threads, null where the mask drops the pixel."""
    with ThreadPoolExecutor(threads) as pool:
        paths = [path for scene in scenes for path in scene["paths"]]
        samples = list(pool.map(lambda path: read_at(path, x, y), paths))
    values = []
    for i, scene in enumerate(scenes):
        red, nir, mask = samples[3 * i : 3 * i + 3]
        red, nir = [
            (sample * scene["scale"] + scene["offset"]) * slope + intercept
            for sample, (slope, intercept) in zip((red, nir), scene["adjust"])
        ]
        values.append(None if mask in scene["drop"] else (nir - red) / (nir + red))
    return values


def read_square(path, bounds, size):
    with rasterio.open(path) as src:
        window = from_bounds_window(*bounds, transform=src.transform)
        return src.read(1, window=window, out_shape=(size, size))


def read_field(scenes, bounds, threads):
    """Mean NDVI in a square, one value per scene: all files of all scenes in threads, pixels that the mask drops left out."""
    field = box(*bounds)
    with ThreadPoolExecutor(threads) as pool:
        files = [(path, scene["size"]) for scene in scenes for path in scene["paths"]]
        squares = list(pool.map(lambda file: read_square(file[0], bounds, file[1]), files))
    values = []
    for i, scene in enumerate(scenes):
        red, nir, mask = squares[3 * i : 3 * i + 3]
        size = scene["size"]
        outside = geometry_mask([field], (size, size), from_bounds(*bounds, size, size))
        keep = ~outside & ~numpy.isin(mask, scene["drop"]) & (red != 0) & (nir != 0)
        red, nir = [
            (samples[keep].astype("float64") * scene["scale"] + scene["offset"]) * slope + intercept
            for samples, (slope, intercept) in zip((red, nir), scene["adjust"])
        ]
        values.append(float(numpy.mean((nir - red) / (nir + red))) if keep.any() else None)
    return values


def box(west, south, east, north):
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}


def run(order):
    if order["op"] == "field":
        return 0, read_field(order["scenes"], order["bounds"], order["threads"])
    if order["op"] == "series":
        return 0, read_series(order["scenes"], order["x"], order["y"], order["threads"])
    if order["op"] == "tile":
        sizes = [
            len(
                draw_tile(
                    order["kind"], order["paths"], bounds, order["size"], order["format"], order["zlevel"], order["keep"]
                )
            )
            for bounds in order["tiles"]
        ]
        return sum(sizes), None
    return 0, read_points(order["paths"], order["column"], order["row"], order["keep"], order["threads"])


def cpu_now():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    with rasterio.Env():
        for line in sys.stdin:
            order = json.loads(line)
            start, cpu = time.perf_counter(), cpu_now()
            size, result = run(order)
            cost = {"wall": (time.perf_counter() - start) * 1000, "cpu": (cpu_now() - cpu) * 1000}
            print(json.dumps({**cost, "bytes": size, "result": result}), flush=True)


if __name__ == "__main__":
    main()
