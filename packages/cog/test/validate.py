"""Makes files of good and bad layouts with GDAL, and says what GDAL's own validator finds in them and in others.

validate.py FOLDER [FILE...]: prints JSON, file name -> [errors, warnings].
"""
import json
import os
import sys

import numpy
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate

gdal.UseExceptions()
folder, *others = sys.argv[1:]
at = lambda name: os.path.join(folder, name)

source = gdal.GetDriverByName("GTiff").Create(at("strips.tif"), 1500, 1200, 1, gdal.GDT_UInt16, ["BLOCKYSIZE=8"])
source.SetGeoTransform((399960, 10, 0, 4600020, 0, -10))
source.SetProjection("EPSG:32633")
rows = numpy.arange(1200, dtype="u2")[:, None] * 7 + numpy.arange(1500, dtype="u2")[None, :] + 1
source.GetRasterBand(1).WriteArray(rows)
source = None

def make(name, **options):
    gdal.Translate(at(name), at("strips.tif"), **options)

make("tiled.tif", creationOptions=["TILED=YES", "COMPRESS=DEFLATE"])
make("tiled-overviews-last.tif", creationOptions=["TILED=YES", "COMPRESS=DEFLATE"])
opened = gdal.Open(at("tiled-overviews-last.tif"), gdal.GA_Update)
opened.BuildOverviews("NEAREST", [2, 4])
opened = None
make("overviews-copied.tif", creationOptions=["TILED=YES", "COPY_SRC_OVERVIEWS=YES"])
make("small-strips.tif", width=300, height=200, creationOptions=["COMPRESS=DEFLATE"])
make("cog.tif", format="COG", creationOptions=["COMPRESS=DEFLATE", "BLOCKSIZE=256"], noData=0)
make("cog-none.tif", format="COG", creationOptions=["COMPRESS=NONE", "BLOCKSIZE=256"])
make("cog-bigtiff.tif", format="COG", creationOptions=["COMPRESS=LZW", "BIGTIFF=YES", "BLOCKSIZE=512"])
make("cog-no-overviews.tif", format="COG", creationOptions=["OVERVIEWS=NONE", "BLOCKSIZE=256"])
make("cog-edited.tif", format="COG", creationOptions=["COMPRESS=DEFLATE", "BLOCKSIZE=256"])
opened = gdal.Open(at("cog-edited.tif"), gdal.GA_Update)
opened.GetRasterBand(1).WriteArray(rows[:256, :256] * 3)
opened = None
gdal.Translate(at("bytes.tif"), at("strips.tif"), outputType=gdal.GDT_Byte, scaleParams=[[0, 10000]])
opened = gdal.Open(at("bytes.tif"), gdal.GA_Update)
gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
opened.CreateMaskBand(gdal.GMF_PER_DATASET)
opened.GetRasterBand(1).GetMaskBand().WriteArray(((rows % 5) > 0).astype("u1") * 255)
opened = None
gdal.Translate(at("cog-mask.tif"), at("bytes.tif"), format="COG", creationOptions=["COMPRESS=DEFLATE", "BLOCKSIZE=256"])
gdal.Translate(at("cog-sparse.tif"), at("bytes.tif"), format="COG", creationOptions=["COMPRESS=DEFLATE", "BLOCKSIZE=256", "SPARSE_OK=YES"], srcWin=[0, 0, 600, 500], noData=0)


def change(name, copy, at_byte):
    """Flips one bit of a copy."""
    data = bytearray(open(at(name), "rb").read())
    data[at_byte(data)] ^= 1
    open(at(copy), "wb").write(data)

def first_block(data):
    dataset = gdal.Open(at("cog.tif"))
    band = dataset.GetRasterBand(1)
    return int(band.GetMetadataItem("BLOCK_OFFSET_0_0", "TIFF")), int(band.GetMetadataItem("BLOCK_SIZE_0_0", "TIFF"))

change("cog.tif", "cog-leader.tif", lambda data: first_block(data)[0] - 4)
change("cog.tif", "cog-trailer.tif", lambda data: sum(first_block(data)))

made = sorted(at(name) for name in os.listdir(folder) if name.endswith(".tif"))
found = {}
for file in made + others:
    try:
        warnings, errors, _ = validate(file, full_check=True)
        found[file] = [errors, warnings]
    except Exception as error:
        found[file] = str(error)
print(json.dumps(found))
