"""Writes large JPEG 2000 files in the layouts of archives into a folder, with GDAL's JP2OpenJPEG driver.

    /usr/bin/python3 layouts.py FOLDER      # prints their names as JSON
"""

import json
import os
import sys

import numpy as np
from osgeo import gdal, osr

gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")
FOLDER = sys.argv[1]


def landscape(width, height, most, seed):
    """Hills, fields with edges and noise, about as many bits per pixel as Sentinel-2; a corner outside the swath."""
    y, x = np.mgrid[0:height, 0:width]
    random = np.random.default_rng(seed)
    hills = np.sin(x / 170.0) * np.cos(y / 230.0) + 0.4 * np.sin((x + 2 * y) / 53.0)
    fields = random.random((height // 40 + 1, width // 40 + 1)).repeat(40, 0).repeat(40, 1)[:height, :width]
    values = (hills + 1.5) / 3 * 0.4 + fields * 0.3 + random.normal(0, 0.008, (height, width)) + 0.1
    values = np.clip(np.rint(values * most), 1, most).astype(np.int64)
    values[x + y < min(width, height) // 4] = 0
    return values


def write(name, width, height, options, bands=1, kind=gdal.GDT_UInt16, most=9000):
    dataset = gdal.GetDriverByName("MEM").Create("", width, height, bands, kind)
    system = osr.SpatialReference()
    system.ImportFromEPSG(32632)
    dataset.SetProjection(system.ExportToWkt())
    dataset.SetGeoTransform([399960, 10, 0, 5100000, 0, -10])
    for band in range(bands):
        dataset.GetRasterBand(band + 1).WriteArray(landscape(width, height, most, 11 + band))
        if bands == 3:
            dataset.GetRasterBand(band + 1).SetColorInterpretation(gdal.GCI_RedBand + band)
    path = os.path.join(FOLDER, name)
    gdal.GetDriverByName("JP2OpenJPEG").CreateCopy(path, dataset, options=options)
    return name


def tiles(size, resolutions=6):
    return [f"BLOCKXSIZE={size}", f"BLOCKYSIZE={size}", f"RESOLUTIONS={resolutions}"]


def precincts(size, count=6):
    return ["PRECINCTS=" + ",".join([f"{{{size},{size}}}"] * count)]


EXACT = ["REVERSIBLE=YES", "QUALITY=100", "YCC=NO"]
BITS = ["NBITS=15"]
RGB = {"bands": 3, "kind": gdal.GDT_Byte, "most": 255}
names = [
    # as Sentinel-2: LRCP, precincts of 256, lengths of packets and of tiles
    write("sentinel-2.jp2", 2300, 2100, [*EXACT, *tiles(1024), *precincts(256), *BITS, "PLT=YES", "TLM=YES"]),
    write("one-tile.jp2", 1500, 1300, [*EXACT, *tiles(2048), *BITS]),
    write("tiles-512.jp2", 1700, 1500, [*EXACT, *tiles(512), *BITS, "PLT=YES", "PROGRESSION=RLCP"]),
    write("rpcl-unlisted.jp2", 2100, 1100, [*EXACT, *tiles(1024), *precincts(256), *BITS, "PROGRESSION=RPCL"]),
    write("irreversible.jp2", 2100, 1100, ["QUALITY=25", *tiles(1024), *precincts(256), *BITS, "PLT=YES", "TLM=YES"]),
    write("rgb.jp2", 1500, 1100, ["REVERSIBLE=YES", "QUALITY=100", *tiles(1024), "PLT=YES", "TLM=YES"], **RGB),
    write("rgb-irreversible.jp2", 1500, 1100, ["QUALITY=10,30", *tiles(512), *precincts(128), "PLT=YES", "PROGRESSION=PCRL"], **RGB),
]
print(json.dumps(names))
