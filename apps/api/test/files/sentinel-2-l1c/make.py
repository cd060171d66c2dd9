"""Writes the bands of a small Level-1C scene as JPEG 2000 with GDAL, and expected.json: what GDAL reads and warps of them.

    /usr/bin/python3 make.py      # GDAL 3.6.2, OpenJPEG 2.5.0, numpy

Synthetic pixels in the layout of Sentinel-2 (LRCP, 15 bits, lossless 5/3, lengths of packets and of tiles), with tiles of 128.
"""

import json
import os

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
HERE = os.path.dirname(os.path.abspath(__file__))
SIDE, WEST, NORTH = 320, 399960, 5100000
LAYOUT = ["REVERSIBLE=YES", "QUALITY=100", "YCC=NO", "BLOCKXSIZE=128", "BLOCKYSIZE=128", "RESOLUTIONS=5", "PLT=YES", "TLM=YES"]


def hills(seed, low, high):
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    random = np.random.default_rng(seed)
    wave = (np.sin(x / 41.0 + seed) * np.cos(y / 29.0) + 1) / 2
    values = low + wave * (high - low) + random.integers(0, 12, (SIDE, SIDE))
    values = np.rint(values).astype(np.int64)
    # outside the swath
    values[x + y < 60] = 0
    return values


def write(name, bands, kind, options, placed=True):
    dataset = gdal.GetDriverByName("MEM").Create("", SIDE, SIDE, len(bands), kind)
    if placed:
        system = osr.SpatialReference()
        system.ImportFromEPSG(32633)
        dataset.SetProjection(system.ExportToWkt())
        dataset.SetGeoTransform([WEST, 10, 0, NORTH, 0, -10])
    for i, values in enumerate(bands):
        dataset.GetRasterBand(i + 1).WriteArray(values)
        if len(bands) == 3:
            dataset.GetRasterBand(i + 1).SetColorInterpretation(gdal.GCI_RedBand + i)
    gdal.GetDriverByName("JP2OpenJPEG").CreateCopy(os.path.join(HERE, name), dataset, options=[*LAYOUT, *options])


red, nir, green = hills(1, 1300, 2600), hills(2, 2500, 5200), hills(3, 1400, 2400)
bits = ["NBITS=15"]
# as the archive's files say where they are: in GML alone
write("B04.jp2", [red], gdal.GDT_UInt16, [*bits, "GeoJP2=NO"])
write("B08.jp2", [nir], gdal.GDT_UInt16, [*bits, "GeoJP2=NO"])
# and one that does not say it: its item does
write("B03.jp2", [green], gdal.GDT_UInt16, bits, placed=False)
write("TCI.jp2", [np.clip((v - 1000) / 10, 0, 255).astype(np.uint8) for v in (red, green, nir)], gdal.GDT_Byte, [])


def warped(name, bounds, width, height, epsg=32633):
    path = os.path.join(HERE, name)
    result = gdal.Warp(
        "", path, format="MEM", dstSRS=f"EPSG:{epsg}", outputBounds=bounds, width=width, height=height,
        resampleAlg="near", errorThreshold=0, overviewLevel="AUTO", srcNodata=0, dstNodata=0,
    )
    return result.ReadAsArray().ravel().tolist()


native = [WEST + 1200, NORTH - 1700, WEST + 1320, NORTH - 1580]
# twice as coarse: the first overview
coarse = [WEST + 600, NORTH - 2600, WEST + 1080, NORTH - 2120]
degrees = [13.715, 46.025, 13.727, 46.033]
window = (slice(158, 170), slice(120, 132))
with open(os.path.join(HERE, "expected.json"), "w") as file:
    json.dump(
        {
            "native": {"bounds": native, "B04": warped("B04.jp2", native, 12, 12), "B08": warped("B08.jp2", native, 12, 12)},
            "coarse": {"bounds": coarse, "B04": warped("B04.jp2", coarse, 24, 24)},
            "degrees": {"bounds": degrees, "B04": warped("B04.jp2", degrees, 30, 20, 4326)},
            "green": {"bounds": native, "B03": green[window].ravel().tolist()},
        },
        file,
    )
    file.write("\n")
