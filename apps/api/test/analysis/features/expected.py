"""200 random fields and their numbers for features-numpy.test.ts, by rasterio and numpy:

/usr/bin/python3 expected.py FIXTURES > expected.json

Fields are polygons in degrees. `rasterio.features.geometry_mask` says which pixels of 10 m belong to one, whose edges have 16 points
in between; samples are those of the file's pixels around the centres.
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.features import geometry_mask
from rasterio.warp import transform as warp

FOLDER = Path(sys.argv[1]) / "cog/sentinel-2-l2a/S2A_29RKH_20200219_0_L2A"
FIELDS = 200
POINTS = 16
STEP = 10
DROPPED = (0, 1, 3, 8, 9, 10)


def opened(name):
    with rasterio.open(FOLDER / f"{name}.tif") as source:
        return source.read(1), source.transform, source.crs


def samples_on(file, transform, shape):
    samples, own, _ = file
    rows, columns = np.indices(shape)
    x, y = transform * (columns + 0.5, rows + 0.5)
    c, r = ~own * (x, y)
    c, r = np.floor(c).astype(int), np.floor(r).astype(int)
    inside = (c >= 0) & (r >= 0) & (c < samples.shape[1]) & (r < samples.shape[0])
    return np.where(inside, samples[np.clip(r, 0, samples.shape[0] - 1), np.clip(c, 0, samples.shape[1] - 1)], 0)


def finer(ring):
    return [
        (x0 + (x1 - x0) * k / POINTS, y0 + (y1 - y0) * k / POINTS)
        for (x0, y0), (x1, y1) in zip(ring, ring[1:])
        for k in range(POINTS)
    ] + [tuple(ring[-1])]


def numbers(values, inside):
    valid = values[inside & np.isfinite(values)]
    count = {"sampleCount": int(inside.sum()), "noDataCount": int(inside.sum() - valid.size)}
    if valid.size == 0:
        return {"min": None, "max": None, "mean": None, "stDev": None, **count, "percentiles": {"50.0": None}}
    stats = {"min": valid.min(), "max": valid.max(), "mean": valid.mean(), "stDev": valid.std()}
    return {**stats, **count, "percentiles": {"50.0": np.percentile(valid, 50)}}


RED, NIR, SCL = opened("B04"), opened("B08"), opened("SCL")
_, GRID, CRS = RED
random = np.random.default_rng(30)
area = 0.0
fields = []
while len(fields) < FIELDS:
    x, y = GRID.c + random.uniform(2_000, 107_000), GRID.f - random.uniform(2_000, 107_000)
    angles = np.sort(random.uniform(0, 2 * math.pi, random.integers(4, 10)))
    if np.max(np.diff(np.append(angles, angles[0] + 2 * math.pi))) > 2.5:
        continue
    radii = random.uniform(60, 300, angles.size)
    xs, ys = x + radii * np.cos(angles), y + radii * np.sin(angles)
    area += 0.5 * abs(np.dot(xs, np.roll(ys, -1)) - np.dot(ys, np.roll(xs, -1)))
    lons, lats = warp(CRS, "EPSG:4326", xs.tolist(), ys.tolist())
    ring = [[round(lon, 8), round(lat, 8)] for lon, lat in zip(lons, lats)]
    ring.append(ring[0])
    fine = finer(ring)
    px, py = warp("EPSG:4326", CRS, [p[0] for p in fine], [p[1] for p in fine])
    left, top = math.floor((min(px) - GRID.c) / STEP), math.floor((GRID.f - max(py)) / STEP)
    right, bottom = math.ceil((max(px) - GRID.c) / STEP), math.ceil((GRID.f - min(py)) / STEP)
    transform = rasterio.Affine(STEP, 0, GRID.c + left * STEP, 0, -STEP, GRID.f - top * STEP)
    shape = (bottom - top, right - left)
    polygon = {"type": "Polygon", "coordinates": [list(zip(px, py))]}
    inside = geometry_mask([polygon], shape, transform, invert=True)
    red, nir, scl = (samples_on(file, transform, shape).astype(np.float64) for file in (RED, NIR, SCL))
    valid = (red != 0) & (nir != 0) & ~np.isin(scl, DROPPED)
    red, nir = (np.where(valid, band / 10_000, np.nan) for band in (red, nir))
    with np.errstate(all="ignore"):
        ndvi = (nir - red) / (nir + red)
    fields.append({"ring": ring, "ndvi": numbers(ndvi, inside), "red": numbers(red, inside)})
assert area < 25e6, area

print("[")
print(",\n".join(json.dumps(field) for field in fields))
print("]")
