"""Expected numbers of reduce.test.ts, computed by numpy: python3 expected.py > expected.json

The rasters follow from the same formula as in the test, 200 x 160 pixels of 10 m; masks are 100 x 80 pixels of 20 m.
"""
import json
import numpy as np

W, H = 200, 160


def noise(seed, count, low, high):
    """Numerical Recipes' linear congruential generator, as in reduce.test.ts."""
    state, out = seed, np.empty(count, dtype=np.int64)
    for i in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        out[i] = low + (state >> 8) % (high - low)
    return out


def band(seed, gap):
    """Samples of 1 to 9,999; 0, which is nodata, where row + column < gap."""
    values = noise(seed, W * H, 1, 10000).reshape(H, W)
    rows, columns = np.indices((H, W))
    values[rows + columns < gap] = 0
    return values


def classes(seed):
    return noise(seed, W // 2 * (H // 2), 0, 12).reshape(H // 2, W // 2)


def bits(seed):
    """Mostly clear (64), here and there cloud (8) or shadow (16)."""
    values = noise(seed, W // 2 * (H // 2), 0, 1000).reshape(H // 2, W // 2)
    return np.where(values < 4, 8, np.where(values < 7, 16, 64))


def fine(keep):
    """A mask of 20 m on the grid of 10 m, by nearest neighbour."""
    return np.repeat(np.repeat(keep, 2, axis=0), 2, axis=1)


def dilated(keep, seeds, meters):
    """Drops pixels of 20 m whose centres are within `meters` of a seed's centre."""
    rows, columns = np.indices(keep.shape)
    keep = keep.copy()
    for row, column in zip(*np.nonzero(seeds)):
        keep[((rows - row) ** 2 + (columns - column) ** 2) * 400 <= meters**2] = False
    return keep


def numbers(values, counted=None):
    """`values` holds NaN where there is no data."""
    if counted is None:
        counted = np.ones(values.shape, dtype=bool)
    valid = values[counted & np.isfinite(values)]
    edges = [-0.2, 0.0, 0.25, 0.5, 0.75]
    if valid.size == 0:
        return {"pixels": int(counted.sum()), "count": 0}
    counts, _ = np.histogram(valid, edges)
    return {
        "pixels": int(counted.sum()),
        "count": int(valid.size),
        "sum": float(valid.sum()),
        "mean": float(valid.mean()),
        "standardDeviation": float(valid.std()),
        "min": float(valid.min()),
        "max": float(valid.max()),
        "percentiles": [float(p) for p in np.percentile(valid, [0, 2, 25, 50, 98, 100])],
        "histogram": {
            "counts": [int(c) for c in counts],
            "below": int((valid < edges[0]).sum()),
            "above": int((valid > edges[-1]).sum()),
        },
        "first": float(valid.ravel()[0]),
    }


def physical(dn, scale, offset):
    return np.where(dn == 0, np.nan, dn * scale + offset)


def reflectance(dn):
    """Ten thousandths, stored with 1,000 added."""
    return np.where(dn == 0, np.nan, (dn - 1000) / 10_000)


def ndvi(nir, red):
    return (nir - red) / (nir + red)


red, nir = reflectance(band(1, 90)), reflectance(band(2, 110))
other_red, other_nir = physical(band(3, 0), 0.0000275, -0.2), physical(band(4, 0), 0.0000275, -0.2)
scl, qa = classes(5), bits(6)
clear = np.isin(scl, [4, 5, 6])
both = np.isfinite(red) & np.isfinite(nir)
unclouded = (qa & 24) == 0
grown = dilated(unclouded, (qa & 8) != 0, 65)

rows, columns = np.indices((H, W))
# the triangle (0, 0), (1605 m, 0), (0, -1605 m) from the upper left corner, by pixel centres, none of which is on an edge
triangle = (columns + 0.5) + (rows + 0.5) < 160.5

top = both & fine(clear)
mosaic = np.where(top, ndvi(nir, red), ndvi(other_nir, other_red))

cases = {
    "one band": numbers(red),
    "an index under a mask of classes": numbers(np.where(both & fine(clear), ndvi(nir, red), np.nan)),
    "an index under a mask of bits, dilated": numbers(np.where(both & fine(grown), ndvi(nir, red), np.nan)),
    "a mosaic of two scenes, the upper one masked": numbers(mosaic),
    "a polygon of a masked index": numbers(np.where(both & fine(unclouded), ndvi(nir, red), np.nan), triangle),
    "nothing but masked pixels": numbers(np.full((H, W), np.nan), triangle),
}
print(json.dumps(cases, indent=1))
