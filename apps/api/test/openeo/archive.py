"""Cubes of the synthetic archive by rasterio and numpy, for expected.py and more.py."""
import sys
import warnings
from pathlib import Path

import numpy as np
import rasterio
from rasterio.features import geometry_mask
from rasterio.transform import from_origin
from rasterio.warp import transform, transform_geom

warnings.filterwarnings("ignore")
ARCHIVE = Path(sys.argv[1])
TILE = "assets/sentinel-2-c1-l2a/33/T/UL"
# label, folder, offset of the processing baseline
STEPS = [
    ("2021-03-19T09:59:41Z", "2021/3/S2B_T33TUL_20210319T095331_L2A", 0.0),
    ("2021-07-05T10:07:41Z", "2021/7/S2A_T33TUL_20210705T100211_L2A", 0.0),
    ("2024-07-04T10:07:41Z", "2024/7/S2B_T33TUL_20240704T100211_L2A", -0.1),
    ("2024-07-06T09:59:41Z", "2024/7/S2A_T33TUL_20240706T095331_L2A", -0.1),
]
JULY = STEPS[2:]
WEST, SOUTH, EAST, NORTH = 380600, 5042400, 381400, 5043000
GRID = (from_origin(WEST, NORTH, 20, 20), (30, 40), "EPSG:32633")
TRIANGLE = {"type": "Polygon", "coordinates": [[[13.4725, 45.526], [13.4795, 45.526], [13.476, 45.53], [13.4725, 45.526]]]}
SQUARE = {"type": "Polygon", "coordinates": [[[13.473, 45.5265], [13.477, 45.5265], [13.477, 45.5295], [13.473, 45.5295], [13.473, 45.5265]]]}
POINT = (13.4761, 45.5272)


def samples(path, grid):
    """Samples of a file under the pixel centres of a grid: nearest neighbour, full resolution."""
    affine, shape, crs = grid
    rows, columns = np.indices(shape)
    x, y = affine * (columns + 0.5, rows + 0.5)
    with rasterio.open(ARCHIVE / path) as source:
        if crs != source.crs.to_string():
            x, y = transform(crs, source.crs, x.ravel(), y.ravel())
            x, y = np.array(x).reshape(shape), np.array(y).reshape(shape)
        column, row = ~source.transform * (x, y)
        return source.read(1)[np.floor(row).astype(int), np.floor(column).astype(int)]


def values(step, band, grid=GRID):
    _, folder, offset = step
    stored = samples(f"{TILE}/{folder}/{band}.tif", grid).astype(float)
    stored[stored == 0] = np.nan
    return stored if band == "SCL" else stored * 0.0001 + offset


def cube(steps=STEPS, bands=("B04", "B8A"), grid=GRID):
    return np.array([[values(step, band, grid) for band in bands] for step in steps])


def inside(geometry, grid):
    """Pixels whose centres are in a polygon in degrees, whose edges are straight there."""
    affine, shape, crs = grid
    rows, columns = np.indices(shape)
    x, y = affine * (columns + 0.5, rows + 0.5)
    lon, lat = transform(crs, "EPSG:4326", x.ravel(), y.ravel())
    ring = geometry["coordinates"][0]
    found = np.zeros(len(lon), bool)
    lon, lat = np.array(lon), np.array(lat)
    for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
        crosses = (y1 > lat) != (y2 > lat)
        with np.errstate(all="ignore"):
            found ^= crosses & (lon < (x2 - x1) * (lat - y1) / (y2 - y1) + x1)
    return found.reshape(shape)


def box_of(geometry, size=20):
    """The grid around a polygon: whole multiples of the pixel size."""
    ring = np.array(geometry["coordinates"][0])
    # edges of the box in degrees, densified
    west, south = ring.min(0)
    east, north = ring.max(0)
    t = np.linspace(0, 1, 200)
    lon = np.concatenate([west + t * (east - west)] * 2 + [np.full(200, west), np.full(200, east)])
    lat = np.concatenate([np.full(200, south), np.full(200, north)] + [south + t * (north - south)] * 2)
    x, y = transform("EPSG:4326", "EPSG:32633", lon, lat)
    left, right = np.floor(min(x) / size) * size, np.ceil(max(x) / size) * size
    bottom, top = np.floor(min(y) / size) * size, np.ceil(max(y) / size) * size
    return from_origin(left, top, size, size), (int((top - bottom) / size), int((right - left) / size)), "EPSG:32633"


def listed(array):
    """Numbers as JSON has them: null for no data."""
    if isinstance(array, np.ndarray) and array.ndim > 0:
        return [listed(part) for part in array]
    return None if not np.isfinite(array) else float(array)


def raster(bands):
    """Of each band the number and mean of its values, and every 37th value."""
    bands = np.asarray(bands, float)
    described = []
    for band in bands.reshape(-1, *bands.shape[-2:]):
        valid = int(np.isfinite(band).sum())
        mean = float(np.nanmean(band)) if valid > 0 else None
        described.append({"valid": valid, "mean": mean, "samples": listed(band.ravel()[::37])})
    return {"shape": list(bands.shape[-2:]), "bands": described}


def ndvi(c):
    return (c[:, 1] - c[:, 0]) / (c[:, 1] + c[:, 0])


def areas(reduce, steps=STEPS, bands=("B04", "B8A"), geometries=(TRIANGLE, SQUARE)):
    """By time, an array of geometries, each an array of bands."""
    rows = {}
    for step in steps:
        rows[step[0]] = []
        for geometry in geometries:
            grid = box_of(geometry)
            kept = inside(geometry, grid)
            # the cube has no data outside of its own extent
            affine, shape, _ = grid
            r, k = np.indices(shape)
            x, y = affine * (k + 0.5, r + 0.5)
            kept &= (x > WEST) & (x < EAST) & (y > SOUTH) & (y < NORTH)
            rows[step[0]].append([float(reduce(values(step, band, grid)[kept])) for band in bands])
    return rows


def centred(geometry, size):
    """The pixels whose centres are in the box of a polygon in the CRS of the grid, and in the box of the cubes."""
    affine, shape, crs = box_of(geometry, size)
    ring = np.array(geometry["coordinates"][0])
    # edges are straight in degrees
    t = np.linspace(0, 1, 200)[:, None]
    lon, lat = np.concatenate([a + t * (b - a) for a, b in zip(ring, ring[1:])]).T
    x, y = transform("EPSG:4326", "EPSG:32633", lon, lat)
    columns = affine.c + (np.arange(shape[1]) + 0.5) * size
    rows = affine.f - (np.arange(shape[0]) + 0.5) * size
    k = np.flatnonzero((columns >= max(min(x), WEST)) & (columns <= min(max(x), EAST)))
    r = np.flatnonzero((rows >= max(min(y), SOUTH)) & (rows <= min(max(y), NORTH)))
    return from_origin(affine.c + k[0] * size, affine.f - r[0] * size, size, size), (len(r), len(k)), crs


def centres(grid):
    """Coordinates of the centres of pixels."""
    affine, shape, _ = grid
    r, k = np.indices(shape)
    return affine * (k + 0.5, r + 0.5)
