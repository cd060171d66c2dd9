// Written by `pnpm run generate` from indices.json. Do not edit.
import type { IndexSchema } from "./index-schema.ts";

/** The indices of Awesome Spectral Indices (MIT licence, David Montero Loaiza and contributors) besides the common ones. */
export const LISTED_INDICES: readonly IndexSchema[] = [
  {
    "id": "afri1600",
    "title": "Aerosol Free Vegetation Index (1600 nm)",
    "domain": "vegetation",
    "aliases": [
      "AFRI1600"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir - 0.66 * swir16) / (nir + 0.66 * swir16)",
    "range": [
      0.02,
      0.84
    ],
    "source": "Karnieli et al. 2001, doi:10.1016/S0034-4257(01)00190-0"
  },
  {
    "id": "afri2100",
    "title": "Aerosol Free Vegetation Index (2100 nm)",
    "domain": "vegetation",
    "aliases": [
      "AFRI2100"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "(nir - 0.5 * swir22) / (nir + 0.5 * swir22)",
    "range": [
      0.22,
      0.92
    ],
    "source": "Karnieli et al. 2001, doi:10.1016/S0034-4257(01)00190-0"
  },
  {
    "id": "andwi",
    "title": "Augmented Normalized Difference Water Index",
    "domain": "water",
    "aliases": [
      "ANDWI"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "(blue + green + red - nir - swir16 - swir22) / (blue + green + red + nir + swir16 + swir22)",
    "range": [
      -0.7,
      0.7
    ],
    "source": "Rad et al. 2021, doi:10.1016/j.envsoft.2021.105030"
  },
  {
    "id": "ari",
    "title": "Anthocyanin Reflectance Index",
    "domain": "vegetation",
    "aliases": [
      "ARI"
    ],
    "bands": [
      "green",
      "rededge071"
    ],
    "expression": "(1 / green) - (1 / rededge071)",
    "range": [
      -23,
      13
    ],
    "source": "Gitelson et al. 2001, doi:10.1562/0031-8655(2001)074<0038:OPANEO>2.0.CO;2"
  },
  {
    "id": "ari2",
    "title": "Anthocyanin Reflectance Index 2",
    "domain": "vegetation",
    "aliases": [
      "ARI2"
    ],
    "bands": [
      "nir",
      "green",
      "rededge071"
    ],
    "expression": "nir * ((1 / green) - (1 / rededge071))",
    "range": [
      -0.4,
      2.8
    ],
    "source": "Gitelson et al. 2001, doi:10.1562/0031-8655(2001)074<0038:OPANEO>2.0.CO;2"
  },
  {
    "id": "arvi",
    "title": "Atmospherically Resistant Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "ARVI"
    ],
    "bands": [
      "nir",
      "red",
      "blue"
    ],
    "expression": "(nir - (red - 1 * (blue - red))) / (nir + (red - 1 * (blue - red)))",
    "range": [
      -0.5,
      0.9
    ],
    "source": "Kaufman and Tanre 1992, doi:10.1109/36.134076"
  },
  {
    "id": "atsavi",
    "title": "Adjusted Transformed Soil-Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "ATSAVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "1 * (nir - 1 * red - 0) / (1 * nir + red - 1 * 0 + 0.08 * (1 + 1 ** 2))",
    "range": [
      -0.18,
      0.61
    ],
    "source": "Baret and Guyot 1991, doi:10.1016/0034-4257(91)90009-U"
  },
  {
    "id": "avi",
    "title": "Advanced Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "AVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir * (1 - red) * (nir - red)) ** (1 / 3)",
    "range": [
      0.15,
      0.55
    ],
    "source": "Rikimaru et al. 2002, https://www.researchgate.net/publication/255718070_Tropical_forest_cover_density_mapping"
  },
  {
    "id": "aweinsh",
    "title": "Automated Water Extraction Index",
    "domain": "water",
    "aliases": [
      "AWEInsh"
    ],
    "bands": [
      "green",
      "swir16",
      "nir",
      "swir22"
    ],
    "expression": "4 * (green - swir16) - 0.25 * nir + 2.75 * swir22",
    "range": [
      -0.4,
      3
    ],
    "source": "Feyisa et al. 2014, doi:10.1016/j.rse.2013.08.029"
  },
  {
    "id": "aweish",
    "title": "Automated Water Extraction Index with Shadows Elimination",
    "domain": "water",
    "aliases": [
      "AWEIsh"
    ],
    "bands": [
      "blue",
      "green",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "blue + 2.5 * green - 1.5 * (nir + swir16) - 0.25 * swir22",
    "range": [
      -0.8,
      1.6
    ],
    "source": "Feyisa et al. 2014, doi:10.1016/j.rse.2013.08.029"
  },
  {
    "id": "ashburnvi",
    "title": "Ashburn Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "AshburnVI"
    ],
    "bands": [
      "nir08",
      "red"
    ],
    "expression": "2 * nir08 - red",
    "range": [
      -0.01,
      0.82
    ],
    "source": "Ashburn 1979, https://ntrs.nasa.gov/citations/19800007243"
  },
  {
    "id": "bai-burn",
    "title": "Burned Area Index",
    "domain": "burn",
    "aliases": [
      "BAI"
    ],
    "bands": [
      "red",
      "nir"
    ],
    "expression": "1 / ((0.1 - red) ** 2 + (0.06 - nir) ** 2)",
    "range": [
      0,
      3700
    ],
    "source": "https://digital.csic.es/bitstream/10261/6426/1/Martin_Isabel_Serie_Geografica.pdf"
  },
  {
    "id": "baim",
    "title": "Burned Area Index adapted to MODIS",
    "domain": "burn",
    "aliases": [
      "BAIM"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "1 / ((0.05 - nir) ** 2) + ((0.2 - swir22) ** 2)",
    "range": [
      0,
      24000
    ],
    "source": "Martín et al. 2006, doi:10.1016/j.foreco.2006.08.248"
  },
  {
    "id": "bais2",
    "title": "Burned Area Index for Sentinel 2",
    "domain": "burn",
    "aliases": [
      "BAIS2"
    ],
    "bands": [
      "rededge075",
      "rededge078",
      "nir08",
      "red",
      "swir22"
    ],
    "expression": "(1 - ((rededge075 * rededge078 * nir08) / red) ** 0.5) * (((swir22 - nir08) / (swir22 + nir08) ** 0.5) + 1)",
    "range": [
      -0.06,
      0.92
    ],
    "source": "Filipponi 2018, doi:10.3390/ecrs-2-05177"
  },
  {
    "id": "bcc",
    "title": "Blue Chromatic Coordinate",
    "domain": "vegetation",
    "aliases": [
      "BCC"
    ],
    "bands": [
      "blue",
      "red",
      "green"
    ],
    "expression": "blue / (red + green + blue)",
    "range": [
      0.11,
      0.4
    ],
    "source": "Gillespie et al. 1987, doi:10.1016/0034-4257(87)90088-5"
  },
  {
    "id": "bi",
    "title": "Bare Soil Index",
    "domain": "soil",
    "aliases": [
      "BI"
    ],
    "bands": [
      "swir16",
      "red",
      "nir",
      "blue"
    ],
    "expression": "((swir16 + red) - (nir + blue)) / ((swir16 + red) + (nir + blue))",
    "range": [
      -0.32,
      0.21
    ],
    "source": "Rikimaru et al. 2002, https://www.researchgate.net/publication/255718070_Tropical_forest_cover_density_mapping"
  },
  {
    "id": "bitm",
    "title": "Landsat TM-based Brightness Index",
    "domain": "soil",
    "aliases": [
      "BITM"
    ],
    "bands": [
      "blue",
      "green",
      "red"
    ],
    "expression": "(((blue ** 2) + (green ** 2) + (red ** 2)) / 3) ** 0.5",
    "range": [
      0.02,
      0.83
    ],
    "source": "Mathieu et al. 1998, doi:10.1016/S0034-4257(98)00030-3"
  },
  {
    "id": "bixs",
    "title": "SPOT HRV XS-based Brightness Index",
    "domain": "soil",
    "aliases": [
      "BIXS"
    ],
    "bands": [
      "green",
      "red"
    ],
    "expression": "(((green ** 2) + (red ** 2)) / 2) ** 0.5",
    "range": [
      0.02,
      0.83
    ],
    "source": "Mathieu et al. 1998, doi:10.1016/S0034-4257(98)00030-3"
  },
  {
    "id": "blfei",
    "title": "Built-Up Land Features Extraction Index",
    "domain": "urban",
    "aliases": [
      "BLFEI"
    ],
    "bands": [
      "green",
      "red",
      "swir22",
      "swir16"
    ],
    "expression": "(((green + red + swir22) / 3) - swir16) / (((green + red + swir22) / 3) + swir16)",
    "range": [
      -0.6,
      0.8
    ],
    "source": "Bouhennache et al. 2019, doi:10.1080/10106049.2018.1497094"
  },
  {
    "id": "bndvi",
    "title": "Blue Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "BNDVI"
    ],
    "bands": [
      "nir",
      "blue"
    ],
    "expression": "(nir - blue) / (nir + blue)",
    "range": [
      -0.6,
      0.9
    ],
    "source": "Wang et al. 2007, doi:10.1016/S1672-6308(07)60027-4"
  },
  {
    "id": "brba",
    "title": "Band Ratio for Built-up Area",
    "domain": "urban",
    "aliases": [
      "BRBA"
    ],
    "bands": [
      "red",
      "swir16"
    ],
    "expression": "red / swir16",
    "range": [
      0.1,
      8.5
    ],
    "source": "Muhammad 2012, https://www.omicsonline.org/scientific-reports/JGRS-SR136.pdf"
  },
  {
    "id": "bwdrvi",
    "title": "Blue Wide Dynamic Range Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "BWDRVI"
    ],
    "bands": [
      "nir",
      "blue"
    ],
    "expression": "(0.01 * nir - blue) / (0.01 * nir + blue)",
    "range": [
      -1,
      -0.74
    ],
    "source": "Hancock and Dougherty 2007, doi:10.2135/cropsci2007.01.0031"
  },
  {
    "id": "bai-soil",
    "title": "Bareness Index",
    "domain": "soil",
    "aliases": [
      "BaI"
    ],
    "bands": [
      "red",
      "swir16",
      "nir"
    ],
    "expression": "red + swir16 - nir",
    "range": [
      -0.18,
      0.33
    ],
    "source": "Lin et al., doi:10.1109/IGARSS.2005.1525743"
  },
  {
    "id": "ci1swir",
    "title": "Cloud Index Form 1 with SWIR 1",
    "domain": "clouds",
    "aliases": [
      "CI1SWIR"
    ],
    "bands": [
      "nir",
      "swir16",
      "blue",
      "green",
      "red"
    ],
    "expression": "(nir + 2 * swir16) / (blue + green + red)",
    "range": [
      0.2,
      6.2
    ],
    "source": "Zhai et al. 2018, doi:10.1016/j.isprsjprs.2018.07.006"
  },
  {
    "id": "ci1woswir",
    "title": "Cloud Index Form 1 without SWIR bands",
    "domain": "clouds",
    "aliases": [
      "CI1woSWIR"
    ],
    "bands": [
      "nir",
      "blue",
      "green",
      "red"
    ],
    "expression": "(3 * nir) / (blue + green + red)",
    "range": [
      0.3,
      9.6
    ],
    "source": "Zhai et al. 2018, doi:10.1016/j.isprsjprs.2018.07.006"
  },
  {
    "id": "ci2swir",
    "title": "Cloud Index Form 2 with SWIR bands",
    "domain": "clouds",
    "aliases": [
      "CI2SWIR"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "(blue + green + red + nir + swir16 + swir22) / 6",
    "range": [
      0.02,
      0.58
    ],
    "source": "Zhai et al. 2018, doi:10.1016/j.isprsjprs.2018.07.006"
  },
  {
    "id": "ci2woswir",
    "title": "Cloud Index Form 2 without SWIR bands",
    "domain": "clouds",
    "aliases": [
      "CI2woSWIR"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir"
    ],
    "expression": "(blue + green + red + nir) / 4",
    "range": [
      0.03,
      0.81
    ],
    "source": "Zhai et al. 2018, doi:10.1016/j.isprsjprs.2018.07.006"
  },
  {
    "id": "cig",
    "title": "Chlorophyll Index Green",
    "domain": "vegetation",
    "aliases": [
      "CIG"
    ],
    "bands": [
      "nir",
      "green"
    ],
    "expression": "(nir / green) - 1",
    "range": [
      -0.7,
      5.8
    ],
    "source": "Gitelson et al. 2003, doi:10.1078/0176-1617-00887"
  },
  {
    "id": "cire",
    "title": "Chlorophyll Index Red Edge",
    "domain": "vegetation",
    "aliases": [
      "CIRE"
    ],
    "bands": [
      "nir",
      "rededge071"
    ],
    "expression": "(nir / rededge071) - 1",
    "range": [
      -0.5,
      3
    ],
    "source": "Gitelson et al. 2003, doi:10.1078/0176-1617-00887"
  },
  {
    "id": "closdi",
    "title": "Cloud Shadow Detection Index",
    "domain": "clouds",
    "aliases": [
      "CLOSDI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(1 - 1.5 * nir - 0.1 * red) / (1 + 3.5 * nir + 4.9 * red)",
    "range": [
      -0.03,
      0.83
    ],
    "source": "Cal 2026, doi:10.1016/j.rsase.2026.101990"
  },
  {
    "id": "csi",
    "title": "Char Soil Index",
    "domain": "burn",
    "aliases": [
      "CSI"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "nir / swir22",
    "range": [
      0,
      11
    ],
    "source": "Smith et al. 2005, doi:10.1016/j.rse.2005.04.014"
  },
  {
    "id": "csiswir",
    "title": "Cloud Shadow Index with SWIR 1",
    "domain": "clouds",
    "aliases": [
      "CSISWIR"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir + swir16) / 2",
    "range": [
      0.01,
      0.44
    ],
    "source": "Zhai et al. 2018, doi:10.1016/j.isprsjprs.2018.07.006"
  },
  {
    "id": "csiwoswir",
    "title": "Cloud Shadow Index without SWIR bands",
    "domain": "clouds",
    "aliases": [
      "CSIwoSWIR"
    ],
    "bands": [
      "nir"
    ],
    "expression": "nir",
    "range": [
      0.01,
      0.76
    ],
    "source": "Zhai et al. 2018, doi:10.1016/j.isprsjprs.2018.07.006"
  },
  {
    "id": "cvi",
    "title": "Chlorophyll Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "CVI"
    ],
    "bands": [
      "nir",
      "red",
      "green"
    ],
    "expression": "(nir * red) / (green ** 2)",
    "range": [
      0.2,
      4.4
    ],
    "source": "Vincini and Frazzi 2011, doi:10.1007/s11119-010-9204-3"
  },
  {
    "id": "dbsi",
    "title": "Dry Bareness Index",
    "domain": "soil",
    "aliases": [
      "DBSI"
    ],
    "bands": [
      "swir16",
      "green",
      "nir",
      "red"
    ],
    "expression": "((swir16 - green) / (swir16 + green)) - ((nir - red) / (nir + red))",
    "range": [
      -0.74,
      0.27
    ],
    "source": "Rasul et al. 2018, doi:10.3390/land7030081"
  },
  {
    "id": "dsi",
    "title": "Drought Stress Index",
    "domain": "vegetation",
    "aliases": [
      "DSI"
    ],
    "bands": [
      "swir16",
      "nir"
    ],
    "expression": "swir16 / nir",
    "range": [
      0.1,
      1.5
    ],
    "source": "https://www.asprs.org/wp-content/uploads/pers/1999journal/apr/1999_apr_495-501.pdf"
  },
  {
    "id": "dswi1",
    "title": "Disease-Water Stress Index 1",
    "domain": "vegetation",
    "aliases": [
      "DSWI1"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "nir / swir16",
    "range": [
      0.7,
      7.6
    ],
    "source": "Apan et al. 2004, doi:10.1080/01431160310001618031"
  },
  {
    "id": "dswi2",
    "title": "Disease-Water Stress Index 2",
    "domain": "vegetation",
    "aliases": [
      "DSWI2"
    ],
    "bands": [
      "swir16",
      "green"
    ],
    "expression": "swir16 / green",
    "range": [
      0.1,
      4
    ],
    "source": "Apan et al. 2004, doi:10.1080/01431160310001618031"
  },
  {
    "id": "dswi3",
    "title": "Disease-Water Stress Index 3",
    "domain": "vegetation",
    "aliases": [
      "DSWI3"
    ],
    "bands": [
      "swir16",
      "red"
    ],
    "expression": "swir16 / red",
    "range": [
      0.1,
      5.6
    ],
    "source": "Apan et al. 2004, doi:10.1080/01431160310001618031"
  },
  {
    "id": "dswi4",
    "title": "Disease-Water Stress Index 4",
    "domain": "vegetation",
    "aliases": [
      "DSWI4"
    ],
    "bands": [
      "green",
      "red"
    ],
    "expression": "green / red",
    "range": [
      0.7,
      1.9
    ],
    "source": "Apan et al. 2004, doi:10.1080/01431160310001618031"
  },
  {
    "id": "dswi5",
    "title": "Disease-Water Stress Index 5",
    "domain": "vegetation",
    "aliases": [
      "DSWI5"
    ],
    "bands": [
      "nir",
      "green",
      "swir16",
      "red"
    ],
    "expression": "(nir + green) / (swir16 + red)",
    "range": [
      0.7,
      2.1
    ],
    "source": "Apan et al. 2004, doi:10.1080/01431160310001618031"
  },
  {
    "id": "dvi",
    "title": "Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "DVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "nir - red",
    "range": [
      -0.09,
      0.39
    ],
    "source": "Roujean and Breon 1995, doi:10.1016/0034-4257(94)00114-3"
  },
  {
    "id": "ebi",
    "title": "Enhanced Bloom Index",
    "domain": "vegetation",
    "aliases": [
      "EBI"
    ],
    "bands": [
      "red",
      "green",
      "blue"
    ],
    "expression": "(red + green + blue) / ((green / blue) * (red - blue + 1))",
    "range": [
      0,
      2.6
    ],
    "source": "Chen et al. 2019, doi:10.1016/j.isprsjprs.2019.08.006"
  },
  {
    "id": "embi",
    "title": "Enhanced Modified Bare Soil Index",
    "domain": "soil",
    "aliases": [
      "EMBI"
    ],
    "bands": [
      "swir16",
      "swir22",
      "nir",
      "green"
    ],
    "expression": "((((swir16 - swir22 - nir) / (swir16 + swir22 + nir)) + 0.5) - ((green - swir16) / (green + swir16)) - 0.5) / ((((swir16 - swir22 - nir) / (swir16 + swir22 + nir)) + 0.5) + ((green - swir16) / (green + swir16)) + 1.5)",
    "range": [
      -0.8,
      0.4
    ],
    "source": "Zhao and Zhu 2022, doi:10.1016/j.jag.2022.102703"
  },
  {
    "id": "endvi",
    "title": "Enhanced Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "ENDVI"
    ],
    "bands": [
      "nir",
      "green",
      "blue"
    ],
    "expression": "((nir + green) - (2 * blue)) / ((nir + green) + (2 * blue))",
    "range": [
      -0.3,
      0.8
    ],
    "source": "Strong et al. 2017, doi:10.1371/journal.pone.0186193"
  },
  {
    "id": "eviv",
    "title": "Enhanced Vegetation Index of Vegetation",
    "domain": "vegetation",
    "aliases": [
      "EVIv"
    ],
    "bands": [
      "nir",
      "red",
      "blue"
    ],
    "expression": "2.5 * ((nir - red) / (nir + 6 * red - 7.5 * blue + 1)) * nir",
    "range": [
      -0.34,
      0.28
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  },
  {
    "id": "exg",
    "title": "Excess Green Index",
    "domain": "vegetation",
    "aliases": [
      "ExG"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "2 * green - red - blue",
    "range": [
      -0.01,
      0.12
    ],
    "source": "Woebbecke et al. 1995, doi:10.13031/2013.27838"
  },
  {
    "id": "exgr",
    "title": "ExG - ExR Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "ExGR"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "(2 * green - red - blue) - (1.3 * red - green)",
    "range": [
      -0.24,
      0.12
    ],
    "source": "Meyer and Neto 2008, doi:10.1016/j.compag.2008.03.009"
  },
  {
    "id": "exr",
    "title": "Excess Red Index",
    "domain": "vegetation",
    "aliases": [
      "ExR"
    ],
    "bands": [
      "red",
      "green"
    ],
    "expression": "1.3 * red - green",
    "range": [
      -0.03,
      0.24
    ],
    "source": "Meyer et al. 1999, doi:10.1117/12.336896"
  },
  {
    "id": "fcvi",
    "title": "Fluorescence Correction Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "FCVI"
    ],
    "bands": [
      "nir",
      "red",
      "green",
      "blue"
    ],
    "expression": "nir - ((red + green + blue) / 3)",
    "range": [
      -0.1,
      0.38
    ],
    "source": "Yang et al. 2020, doi:10.1016/j.rse.2020.111676"
  },
  {
    "id": "fwei",
    "title": "Flood/Water Extraction Index",
    "domain": "water",
    "aliases": [
      "FWEI"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir"
    ],
    "expression": "(((blue + green + red) / 3) - nir) / (((blue + green + red) / 3) + nir)",
    "range": [
      -0.9,
      0.5
    ],
    "source": "Farhadi et al. 2024, doi:10.1007/s00477-024-02660-z"
  },
  {
    "id": "gari",
    "title": "Green Atmospherically Resistant Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GARI"
    ],
    "bands": [
      "nir",
      "green",
      "blue",
      "red"
    ],
    "expression": "(nir - (green - 1 * (blue - red))) / (nir + (green - 1 * (blue - red)))",
    "range": [
      -0.5,
      0.8
    ],
    "source": "Gitelson et al. 1996, doi:10.1016/S0034-4257(96)00072-7"
  },
  {
    "id": "gbndvi",
    "title": "Green-Blue Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GBNDVI"
    ],
    "bands": [
      "nir",
      "green",
      "blue"
    ],
    "expression": "(nir - (green + blue)) / (nir + (green + blue))",
    "range": [
      -0.8,
      0.7
    ],
    "source": "Wang et al. 2007, doi:10.1016/S1672-6308(07)60027-4"
  },
  {
    "id": "gcc",
    "title": "Green Chromatic Coordinate",
    "domain": "vegetation",
    "aliases": [
      "GCC"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "green / (red + green + blue)",
    "range": [
      0.33,
      0.52
    ],
    "source": "Gillespie et al. 1987, doi:10.1016/0034-4257(87)90088-5"
  },
  {
    "id": "gdvi",
    "title": "Generalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GDVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "((nir ** 2) - (red ** 2)) / ((nir ** 2) + (red ** 2))",
    "range": [
      -0.7,
      1
    ],
    "source": "Wu 2014, doi:10.3390/rs6021211"
  },
  {
    "id": "gemi",
    "title": "Global Environment Monitoring Index",
    "domain": "vegetation",
    "aliases": [
      "GEMI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "((2 * ((nir ** 2) - (red ** 2)) + 1.5 * nir + 0.5 * red) / (nir + red + 0.5)) * (1 - 0.25 * ((2 * ((nir ** 2) - (red ** 2)) + 1.5 * nir + 0.5 * red) / (nir + red + 0.5))) - ((red - 0.125) / (1 - red))",
    "range": [
      -3.4,
      0.9
    ],
    "source": "Pinty and Verstraete 1992, doi:10.1007/bf00031911"
  },
  {
    "id": "gli",
    "title": "Green Leaf Index",
    "domain": "vegetation",
    "aliases": [
      "GLI"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "(2 * green - red - blue) / (2 * green + red + blue)",
    "range": [
      -0.01,
      0.37
    ],
    "source": "Louhaichi et al. 2001, doi:10.1080/10106040108542184"
  },
  {
    "id": "gm1",
    "title": "Gitelson and Merzlyak Index 1",
    "domain": "vegetation",
    "aliases": [
      "GM1"
    ],
    "bands": [
      "rededge075",
      "green"
    ],
    "expression": "rededge075 / green",
    "range": [
      0.3,
      5
    ],
    "source": "Gitelson and Merzlyak 1996, doi:10.1016/S0176-1617(96)80284-7"
  },
  {
    "id": "gm2",
    "title": "Gitelson and Merzlyak Index 2",
    "domain": "vegetation",
    "aliases": [
      "GM2"
    ],
    "bands": [
      "rededge075",
      "rededge071"
    ],
    "expression": "rededge075 / rededge071",
    "range": [
      0.6,
      3
    ],
    "source": "Gitelson and Merzlyak 1996, doi:10.1016/S0176-1617(96)80284-7"
  },
  {
    "id": "gosavi",
    "title": "Green Optimized Soil Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GOSAVI"
    ],
    "bands": [
      "nir",
      "green"
    ],
    "expression": "(nir - green) / (nir + green + 0.16)",
    "range": [
      -0.2,
      0.52
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "grari",
    "title": "Atmospheric Resistant Green-Red Index",
    "domain": "vegetation",
    "aliases": [
      "GRARI"
    ],
    "bands": [
      "nir",
      "green",
      "red",
      "blue"
    ],
    "expression": "(nir - (0.5 * green + (1 - 0.5) * red - 1 * (blue - red))) / (nir + (0.5 * green + (1 - 0.5) * red - 1 * (blue - red)))",
    "range": [
      -0.5,
      0.8
    ],
    "source": "Gitelson et al. 1996, doi:10.1016/S0034-4257(96)00072-7"
  },
  {
    "id": "grndvi",
    "title": "Green-Red Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GRNDVI"
    ],
    "bands": [
      "nir",
      "green",
      "red"
    ],
    "expression": "(nir - (green + red)) / (nir + (green + red))",
    "range": [
      -0.7,
      0.7
    ],
    "source": "Wang et al. 2007, doi:10.1016/S1672-6308(07)60027-4"
  },
  {
    "id": "grvi",
    "title": "Green Ratio Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GRVI"
    ],
    "bands": [
      "nir",
      "green"
    ],
    "expression": "nir / green",
    "range": [
      0.3,
      6.8
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "gsavi",
    "title": "Green Soil Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GSAVI"
    ],
    "bands": [
      "nir",
      "green"
    ],
    "expression": "(1 + 0.5) * (nir - green) / (nir + green + 0.5)",
    "range": [
      -0.14,
      0.52
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "gvmi",
    "title": "Global Vegetation Moisture Index",
    "domain": "vegetation",
    "aliases": [
      "GVMI"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "((nir + 0.1) - (swir22 + 0.02)) / ((nir + 0.1) + (swir22 + 0.02))",
    "range": [
      0.04,
      0.81
    ],
    "source": "Ceccato et al. 2002, doi:10.1016/S0034-4257(02)00037-8"
  },
  {
    "id": "greendvi",
    "title": "Green Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "GreenDVI"
    ],
    "bands": [
      "nir",
      "green"
    ],
    "expression": "nir - green",
    "range": [
      -0.1,
      0.35
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "iavi",
    "title": "New Atmospherically Resistant Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "IAVI"
    ],
    "bands": [
      "nir",
      "red",
      "blue"
    ],
    "expression": "(nir - (red - 1 * (blue - red))) / (nir + (red - 1 * (blue - red)))",
    "range": [
      -0.5,
      0.9
    ],
    "source": "https://www.jipb.net/EN/abstract/abstract23925.shtml"
  },
  {
    "id": "ibi",
    "title": "Index-Based Built-Up Index",
    "domain": "urban",
    "aliases": [
      "IBI"
    ],
    "bands": [
      "swir16",
      "nir",
      "red",
      "green"
    ],
    "expression": "(((swir16 - nir) / (swir16 + nir)) - (((nir - red) * (1 + 0.5) / (nir + red + 0.5)) + ((green - swir16) / (green + swir16))) / 2) / (((swir16 - nir) / (swir16 + nir)) + (((nir - red) * (1 + 0.5) / (nir + red + 0.5)) + ((green - swir16) / (green + swir16))) / 2)",
    "range": [
      -180,
      70
    ],
    "source": "Xu 2008, doi:10.1080/01431160802039957"
  },
  {
    "id": "ikaw",
    "title": "Kawashima Index",
    "domain": "vegetation",
    "aliases": [
      "IKAW"
    ],
    "bands": [
      "red",
      "blue"
    ],
    "expression": "(red - blue) / (red + blue)",
    "range": [
      -0.26,
      0.56
    ],
    "source": "Kawashima 1998, doi:10.1006/anbo.1997.0544"
  },
  {
    "id": "ipvi",
    "title": "Infrared Percentage Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "IPVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "nir / (nir + red)",
    "range": [
      0.3,
      0.93
    ],
    "source": "Crippen 1990, doi:10.1016/0034-4257(90)90085-Z"
  },
  {
    "id": "ireci",
    "title": "Inverted Red-Edge Chlorophyll Index",
    "domain": "vegetation",
    "aliases": [
      "IRECI"
    ],
    "bands": [
      "rededge078",
      "red",
      "rededge071",
      "rededge075"
    ],
    "expression": "(rededge078 - red) / (rededge071 / rededge075)",
    "range": [
      -0.06,
      0.94
    ],
    "source": "Frampton et al. 2013, doi:10.1016/j.isprsjprs.2013.04.007"
  },
  {
    "id": "irgbvi",
    "title": "Improved-Red-Green-Blue Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "IRGBVI"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "(5 * (green ** 2) - 2 * (red ** 2) - 5 * (blue ** 2)) / (5 * (green ** 2) + 2 * (red ** 2) + 5 * (blue ** 2))",
    "range": [
      -0.17,
      0.6
    ],
    "source": "Chen et al. 2024, doi:10.1016/j.jag.2024.103668"
  },
  {
    "id": "kdi",
    "title": "Kochia Detection Index",
    "domain": "vegetation",
    "aliases": [
      "KDI"
    ],
    "bands": [
      "nir",
      "swir16",
      "rededge078",
      "rededge071"
    ],
    "expression": "((nir + swir16 - rededge078) / (nir + swir16 + rededge078)) * ((rededge071 - 2 * rededge078 + nir) / (rededge071 + 2 * rededge078 + nir))",
    "range": [
      -0.049,
      0.011
    ],
    "source": "Lotfi et al. 2026, doi:10.1016/j.mlwa.2026.100914"
  },
  {
    "id": "lswi",
    "title": "Land Surface Water Index",
    "domain": "water",
    "aliases": [
      "LSWI"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir - swir16) / (nir + swir16)",
    "range": [
      -0.18,
      0.77
    ],
    "source": "Xiao et al. 2004, doi:10.1016/j.rse.2003.11.008"
  },
  {
    "id": "mbi",
    "title": "Modified Bare Soil Index",
    "domain": "soil",
    "aliases": [
      "MBI"
    ],
    "bands": [
      "swir16",
      "swir22",
      "nir"
    ],
    "expression": "((swir16 - swir22 - nir) / (swir16 + swir22 + nir)) + 0.5",
    "range": [
      -0.29,
      0.29
    ],
    "source": "Nguyen et al. 2021, doi:10.3390/land10030231"
  },
  {
    "id": "mbwi",
    "title": "Multi-Band Water Index",
    "domain": "water",
    "aliases": [
      "MBWI"
    ],
    "bands": [
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "(2 * green) - red - nir - swir16 - swir22",
    "range": [
      -0.91,
      0.06
    ],
    "source": "Wang et al. 2018, doi:10.1016/j.jag.2018.01.018"
  },
  {
    "id": "mcari",
    "title": "Modified Chlorophyll Absorption in Reflectance Index",
    "domain": "vegetation",
    "aliases": [
      "MCARI"
    ],
    "bands": [
      "rededge071",
      "red",
      "green"
    ],
    "expression": "((rededge071 - red) - 0.2 * (rededge071 - green)) * (rededge071 / red)",
    "range": [
      -0.01,
      0.18
    ],
    "source": "Daughtry 2000, doi:10.1016/S0034-4257(00)00113-9"
  },
  {
    "id": "mcari1",
    "title": "Modified Chlorophyll Absorption in Reflectance Index 1",
    "domain": "vegetation",
    "aliases": [
      "MCARI1"
    ],
    "bands": [
      "nir",
      "red",
      "green"
    ],
    "expression": "1.2 * (2.5 * (nir - red) - 1.3 * (nir - green))",
    "range": [
      -0.1,
      0.61
    ],
    "source": "Haboudane 2004, doi:10.1016/j.rse.2003.12.013"
  },
  {
    "id": "mcari2",
    "title": "Modified Chlorophyll Absorption in Reflectance Index 2",
    "domain": "vegetation",
    "aliases": [
      "MCARI2"
    ],
    "bands": [
      "nir",
      "red",
      "green"
    ],
    "expression": "(1.5 * (2.5 * (nir - red) - 1.3 * (nir - green))) / ((((2 * nir + 1) ** 2) - (6 * nir - 5 * (red ** 0.5)) - 0.5) ** 0.5)",
    "range": [
      -0.07,
      0.64
    ],
    "source": "Haboudane 2004, doi:10.1016/j.rse.2003.12.013"
  },
  {
    "id": "mcari705",
    "title": "Modified Chlorophyll Absorption in Reflectance Index (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "MCARI705"
    ],
    "bands": [
      "rededge075",
      "rededge071",
      "green"
    ],
    "expression": "((rededge075 - rededge071) - 0.2 * (rededge075 - green)) * (rededge075 / rededge071)",
    "range": [
      -0.02,
      0.41
    ],
    "source": "Wu et al. 2008, doi:10.1016/j.agrformet.2008.03.005"
  },
  {
    "id": "mcariosavi",
    "title": "MCARI/OSAVI Ratio",
    "domain": "vegetation",
    "aliases": [
      "MCARIOSAVI"
    ],
    "bands": [
      "rededge071",
      "red",
      "green",
      "nir"
    ],
    "expression": "(((rededge071 - red) - 0.2 * (rededge071 - green)) * (rededge071 / red)) / (1.16 * (nir - red) / (nir + red + 0.16))",
    "range": [
      0,
      0.25
    ],
    "source": "Daughtry 2000, doi:10.1016/S0034-4257(00)00113-9"
  },
  {
    "id": "mcariosavi705",
    "title": "MCARI/OSAVI Ratio (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "MCARIOSAVI705"
    ],
    "bands": [
      "rededge075",
      "rededge071",
      "green"
    ],
    "expression": "(((rededge075 - rededge071) - 0.2 * (rededge075 - green)) * (rededge075 / rededge071)) / (1.16 * (rededge075 - rededge071) / (rededge075 + rededge071 + 0.16))",
    "range": [
      -0.1,
      1.1
    ],
    "source": "Wu et al. 2008, doi:10.1016/j.agrformet.2008.03.005"
  },
  {
    "id": "mgrvi",
    "title": "Modified Green Red Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "MGRVI"
    ],
    "bands": [
      "green",
      "red"
    ],
    "expression": "(green ** 2 - red ** 2) / (green ** 2 + red ** 2)",
    "range": [
      -0.26,
      0.55
    ],
    "source": "Bendig et al. 2015, doi:10.1016/j.jag.2015.02.012"
  },
  {
    "id": "mi",
    "title": "Mangrove Index",
    "domain": "vegetation",
    "aliases": [
      "MI"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir - swir16) / (nir * swir16)",
    "range": [
      -2,
      81
    ],
    "source": "https://www.researchgate.net/profile/Gathot-Winarso/publication/277137915_NEW_MANGROVE_INDEX_AS_DEGRADATIONHEALTH_INDICATOR_USING_REMOTE_SENSING_DATA_SEGARA_ANAKAN_AND_ALAS_PURWO_CASE_STUDY/links/5562d90c08ae8c0cab333ab4/NEW-MANGROVE-INDEX-AS-DEGRADATION-HEALTH-INDICATOR-USING-REMOTE-SENSING-DATA-SEGARA-ANAKAN-AND-ALAS-PURWO-CASE-STUDY.pdf"
  },
  {
    "id": "mirbi",
    "title": "Mid-Infrared Burn Index",
    "domain": "burn",
    "aliases": [
      "MIRBI"
    ],
    "bands": [
      "swir22",
      "swir16"
    ],
    "expression": "10 * swir22 - 9.8 * swir16 + 2",
    "range": [
      0.9,
      2
    ],
    "source": "Trigg and Flasse 2001, doi:10.1080/01431160110053185"
  },
  {
    "id": "mlswi26",
    "title": "Modified Land Surface Water Index (MODIS Bands 2 and 6)",
    "domain": "water",
    "aliases": [
      "MLSWI26"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(1 - nir - swir16) / (1 - nir + swir16)",
    "range": [
      0.24,
      0.99
    ],
    "source": "Kwak et al. 2015, doi:10.3390/rs71215805"
  },
  {
    "id": "mlswi27",
    "title": "Modified Land Surface Water Index (MODIS Bands 2 and 7)",
    "domain": "water",
    "aliases": [
      "MLSWI27"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "(1 - nir - swir22) / (1 - nir + swir22)",
    "range": [
      0.29,
      1
    ],
    "source": "Kwak et al. 2015, doi:10.3390/rs71215805"
  },
  {
    "id": "mndvi",
    "title": "Modified Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "MNDVI"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "(nir - swir22) / (nir + swir22)",
    "range": [
      -0.13,
      0.84
    ],
    "source": "Jurgens 1997, doi:10.1080/014311697216810"
  },
  {
    "id": "mnli",
    "title": "Modified Non-Linear Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "MNLI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(1 + 0.5) * ((nir ** 2) - red) / ((nir ** 2) + red + 0.5)",
    "range": [
      -0.3,
      0.28
    ],
    "source": "Gong et al. 2003, doi:10.1109/TGRS.2003.812910"
  },
  {
    "id": "mrbvi",
    "title": "Modified Red Blue Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "MRBVI"
    ],
    "bands": [
      "red",
      "blue"
    ],
    "expression": "(red ** 2 - blue ** 2) / (red ** 2 + blue ** 2)",
    "range": [
      -0.5,
      0.9
    ],
    "source": "Guo et al. 2020, doi:10.3390/s20185055"
  },
  {
    "id": "msavi",
    "title": "Modified Soil-Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "MSAVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(1 + (1 - 2 * 1.06 * ((nir - red) / (nir + red)) * (nir - 1.06 * red))) * (nir - red) / (nir + red + (1 - 2 * 1.06 * ((nir - red) / (nir + red)) * (nir - 1.06 * red)))",
    "range": [
      -0.1,
      0.63
    ],
    "source": "Qi et al. 1994, doi:10.1016/0034-4257(94)90134-1"
  },
  {
    "id": "msavi2",
    "title": "Modified Soil-Adjusted Vegetation Index 2",
    "domain": "vegetation",
    "aliases": [
      "MSAVI2"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "0.5 * (2 * nir + 1 - (((2 * nir + 1) ** 2) - 8 * (nir - red)) ** 0.5)",
    "range": [
      -0.1,
      0.62
    ],
    "source": "Qi et al. 1994, doi:10.1016/0034-4257(94)90134-1"
  },
  {
    "id": "msi",
    "title": "Moisture Stress Index",
    "domain": "vegetation",
    "aliases": [
      "MSI"
    ],
    "bands": [
      "swir16",
      "nir"
    ],
    "expression": "swir16 / nir",
    "range": [
      0.1,
      1.5
    ],
    "source": "Hunt and Rock 1989, doi:10.1016/0034-4257(89)90046-1"
  },
  {
    "id": "msr",
    "title": "Modified Simple Ratio",
    "domain": "vegetation",
    "aliases": [
      "MSR"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir / red - 1) / ((nir / red + 1) ** 0.5)",
    "range": [
      -0.5,
      3.1
    ],
    "source": "Chen 1996, doi:10.1080/07038992.1996.10855178"
  },
  {
    "id": "msr705-2008",
    "title": "Modified Simple Ratio (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "MSR705"
    ],
    "bands": [
      "rededge075",
      "rededge071"
    ],
    "expression": "(rededge075 / rededge071 - 1) / ((rededge075 / rededge071 + 1) ** 0.5)",
    "range": [
      -0.3,
      1
    ],
    "source": "Wu et al. 2008, doi:10.1016/j.agrformet.2008.03.005"
  },
  {
    "id": "mtci",
    "title": "MERIS Terrestrial Chlorophyll Index",
    "domain": "vegetation",
    "aliases": [
      "MTCI"
    ],
    "bands": [
      "rededge075",
      "rededge071",
      "red"
    ],
    "expression": "(rededge075 - rededge071) / (rededge071 - red)",
    "range": [
      0.6,
      3.4
    ],
    "source": "Dash and Curran 2004, doi:10.1080/0143116042000274015"
  },
  {
    "id": "mtvi1",
    "title": "Modified Triangular Vegetation Index 1",
    "domain": "vegetation",
    "aliases": [
      "MTVI1"
    ],
    "bands": [
      "nir",
      "green",
      "red"
    ],
    "expression": "1.2 * (1.2 * (nir - green) - 2.5 * (red - green))",
    "range": [
      -0.1,
      0.61
    ],
    "source": "Haboudane 2004, doi:10.1016/j.rse.2003.12.013"
  },
  {
    "id": "mtvi2",
    "title": "Modified Triangular Vegetation Index 2",
    "domain": "vegetation",
    "aliases": [
      "MTVI2"
    ],
    "bands": [
      "nir",
      "green",
      "red"
    ],
    "expression": "(1.5 * (1.2 * (nir - green) - 2.5 * (red - green))) / ((((2 * nir + 1) ** 2) - (6 * nir - 5 * (red ** 0.5)) - 0.5) ** 0.5)",
    "range": [
      -0.07,
      0.64
    ],
    "source": "Haboudane 2004, doi:10.1016/j.rse.2003.12.013"
  },
  {
    "id": "mvi",
    "title": "Mangrove Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "MVI"
    ],
    "bands": [
      "nir",
      "green",
      "swir16"
    ],
    "expression": "(nir - green) / (swir16 - green)",
    "range": [
      0.1,
      3.9
    ],
    "source": "Baloloy et al. 2020, doi:10.1016/j.isprsjprs.2020.06.001"
  },
  {
    "id": "muwir",
    "title": "Revised Multi-Spectral Water Index",
    "domain": "water",
    "aliases": [
      "MuWIR"
    ],
    "bands": [
      "blue",
      "green",
      "nir",
      "swir22",
      "swir16"
    ],
    "expression": "-4 * ((blue - green) / (blue + green)) + 2 * ((green - nir) / (green + nir)) + 2 * ((green - swir22) / (green + swir22)) - ((green - swir16) / (green + swir16))",
    "range": [
      -0.9,
      2.5
    ],
    "source": "Wang et al. 2018, doi:10.3390/rs10101643"
  },
  {
    "id": "nbai",
    "title": "Normalized Built-up Area Index",
    "domain": "urban",
    "aliases": [
      "NBAI"
    ],
    "bands": [
      "swir22",
      "swir16",
      "green"
    ],
    "expression": "(swir22 - swir16 / green) / (swir22 + swir16 / green)",
    "range": [
      -0.98,
      -0.25
    ],
    "source": "Muhammad 2012, https://www.omicsonline.org/scientific-reports/JGRS-SR136.pdf"
  },
  {
    "id": "nbr2",
    "title": "Normalized Burn Ratio 2",
    "domain": "burn",
    "aliases": [
      "NBR2"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(swir16 - swir22) / (swir16 + swir22)",
    "range": [
      0.02,
      0.39
    ],
    "source": "https://www.usgs.gov/core-science-systems/nli/landsat/landsat-normalized-burn-ratio-2"
  },
  {
    "id": "nbrswir",
    "title": "Normalized Burn Ratio SWIR",
    "domain": "burn",
    "aliases": [
      "NBRSWIR"
    ],
    "bands": [
      "swir22",
      "swir16"
    ],
    "expression": "(swir22 - swir16 - 0.02) / (swir22 + swir16 + 0.1)",
    "range": [
      -0.33,
      -0.05
    ],
    "source": "Liu et al. 2020, doi:10.1080/22797254.2020.1738900"
  },
  {
    "id": "nbrplus",
    "title": "Normalized Burn Ratio Plus",
    "domain": "burn",
    "aliases": [
      "NBRplus"
    ],
    "bands": [
      "swir22",
      "nir08",
      "green",
      "blue"
    ],
    "expression": "(swir22 - nir08 - green - blue) / (swir22 + nir08 + green + blue)",
    "range": [
      -0.95,
      -0.18
    ],
    "source": "Alcaras et al. 2022, doi:10.3390/rs14071727"
  },
  {
    "id": "nbsims",
    "title": "Non-Binary Snow Index for Multi-Component Surfaces",
    "domain": "snow",
    "aliases": [
      "NBSIMS"
    ],
    "bands": [
      "green",
      "red",
      "nir",
      "blue",
      "swir22",
      "swir16"
    ],
    "expression": "0.36 * (green + red + nir) - (((blue + swir22) / green) + swir16)",
    "range": [
      -4,
      -0.3
    ],
    "source": "Arreola-Esquivel et al. 2021, doi:10.3390/rs13142777"
  },
  {
    "id": "nd705",
    "title": "Normalized Difference (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "ND705"
    ],
    "bands": [
      "rededge075",
      "rededge071"
    ],
    "expression": "(rededge075 - rededge071) / (rededge075 + rededge071)",
    "range": [
      -0.2,
      0.5
    ],
    "source": "Sims and Gamon 2002, doi:10.1016/S0034-4257(02)00010-X"
  },
  {
    "id": "ndci",
    "title": "Normalized Difference Chlorophyll Index",
    "domain": "water",
    "aliases": [
      "NDCI"
    ],
    "bands": [
      "rededge071",
      "red"
    ],
    "expression": "(rededge071 - red) / (rededge071 + red)",
    "range": [
      -0.13,
      0.5
    ],
    "source": "Mishra and Mishra 2012, doi:10.1016/j.rse.2011.10.016"
  },
  {
    "id": "nddi",
    "title": "Normalized Difference Drought Index",
    "domain": "vegetation",
    "aliases": [
      "NDDI"
    ],
    "bands": [
      "nir",
      "red",
      "green"
    ],
    "expression": "(((nir - red) / (nir + red)) - ((green - nir) / (green + nir))) / (((nir - red) / (nir + red)) + ((green - nir) / (green + nir)))",
    "range": [
      -100,
      100
    ],
    "source": "Gu et al. 2007, doi:10.1029/2006GL029127"
  },
  {
    "id": "ndglai",
    "title": "Normalized Difference Glacier Index",
    "domain": "snow",
    "aliases": [
      "NDGlaI"
    ],
    "bands": [
      "green",
      "red"
    ],
    "expression": "(green - red) / (green + red)",
    "range": [
      -0.14,
      0.3
    ],
    "source": "Keshri et al. 2009, doi:10.1080/01431160802385459"
  },
  {
    "id": "ndii",
    "title": "Normalized Difference Infrared Index",
    "domain": "vegetation",
    "aliases": [
      "NDII"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir - swir16) / (nir + swir16)",
    "range": [
      -0.18,
      0.77
    ],
    "source": "https://www.asprs.org/wp-content/uploads/pers/1983journal/jan/1983_jan_77-83.pdf"
  },
  {
    "id": "ndpi",
    "title": "Normalized Difference Phenology Index",
    "domain": "vegetation",
    "aliases": [
      "NDPI"
    ],
    "bands": [
      "nir",
      "red",
      "swir16"
    ],
    "expression": "(nir - (0.74 * red + (1 - 0.74) * swir16)) / (nir + (0.74 * red + (1 - 0.74) * swir16))",
    "range": [
      -0.29,
      0.69
    ],
    "source": "Wang et al. 2017, doi:10.1016/j.rse.2017.04.031"
  },
  {
    "id": "ndponi",
    "title": "Normalized Difference Pond Index",
    "domain": "water",
    "aliases": [
      "NDPonI"
    ],
    "bands": [
      "swir16",
      "green"
    ],
    "expression": "(swir16 - green) / (swir16 + green)",
    "range": [
      -0.8,
      0.6
    ],
    "source": "Lacaux et al. 2007, doi:10.1016/j.rse.2006.07.012"
  },
  {
    "id": "ndsii",
    "title": "Normalized Difference Snow Ice Index",
    "domain": "snow",
    "aliases": [
      "NDSII"
    ],
    "bands": [
      "green",
      "nir"
    ],
    "expression": "(green - nir) / (green + nir)",
    "range": [
      -0.8,
      0.6
    ],
    "source": "Keshri et al. 2009, doi:10.1080/01431160802385459"
  },
  {
    "id": "ndsiitm",
    "title": "Normalized Difference Snow/Ice Index for Landsat TM",
    "domain": "snow",
    "aliases": [
      "NDSIITM"
    ],
    "bands": [
      "red",
      "swir16"
    ],
    "expression": "(red - swir16) / (red + swir16)",
    "range": [
      -0.7,
      0.8
    ],
    "source": "Xiao et al. 2001, doi:10.1080/01431160119766"
  },
  {
    "id": "ndsinw",
    "title": "Normalized Difference Snow Index with no Water",
    "domain": "snow",
    "aliases": [
      "NDSInw"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir - swir16 - 0.05) / (nir + swir16)",
    "range": [
      -1.9,
      0.7
    ],
    "source": "Yan et al. 2020, doi:10.3390/w12051339"
  },
  {
    "id": "ndswir",
    "title": "Normalized Difference SWIR",
    "domain": "burn",
    "aliases": [
      "NDSWIR"
    ],
    "bands": [
      "nir",
      "swir16"
    ],
    "expression": "(nir - swir16) / (nir + swir16)",
    "range": [
      -0.18,
      0.77
    ],
    "source": "Gerard et al. 2003, doi:10.1109/TGRS.2003.819190"
  },
  {
    "id": "ndsaii",
    "title": "Normalized Difference Snow and Ice Index",
    "domain": "snow",
    "aliases": [
      "NDSaII"
    ],
    "bands": [
      "red",
      "swir16"
    ],
    "expression": "(red - swir16) / (red + swir16)",
    "range": [
      -0.7,
      0.8
    ],
    "source": "Xiao et al. 2001, doi:10.1080/01431160119766"
  },
  {
    "id": "ndsoi",
    "title": "Normalized Difference Soil Index",
    "domain": "soil",
    "aliases": [
      "NDSoI"
    ],
    "bands": [
      "swir22",
      "green"
    ],
    "expression": "(swir22 - green) / (swir22 + green)",
    "range": [
      -0.9,
      0.6
    ],
    "source": "Deng et al. 2015, doi:10.1016/j.jag.2015.02.010"
  },
  {
    "id": "ndti",
    "title": "Normalized Difference Turbidity Index",
    "domain": "water",
    "aliases": [
      "NDTI"
    ],
    "bands": [
      "red",
      "green"
    ],
    "expression": "(red - green) / (red + green)",
    "range": [
      -0.3,
      0.14
    ],
    "source": "Lacaux et al. 2007, doi:10.1016/j.rse.2006.07.012"
  },
  {
    "id": "ndti4re",
    "title": "4-band Red Edge Normalized Difference Tillage Index",
    "domain": "vegetation",
    "aliases": [
      "NDTI4RE"
    ],
    "bands": [
      "swir16",
      "swir22",
      "nir",
      "rededge078"
    ],
    "expression": "0.4 * (swir16 - swir22) / (swir16 + swir22) + (1 - 0.4) * (nir - rededge078) / (nir + rededge078)",
    "range": [
      0.02,
      0.19
    ],
    "source": "Liu et al. 2022, doi:10.1016/j.jag.2022.102793"
  },
  {
    "id": "ndtilli",
    "title": "Normalized Difference Tillage Index",
    "domain": "vegetation",
    "aliases": [
      "NDTillI"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(swir16 - swir22) / (swir16 + swir22)",
    "range": [
      0.02,
      0.39
    ],
    "source": "https://www.asprs.org/wp-content/uploads/pers/1997journal/jan/1997_jan_87-93.pdf"
  },
  {
    "id": "ndvi4re",
    "title": "4-band Red Edge Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "NDVI4RE"
    ],
    "bands": [
      "rededge078",
      "rededge075",
      "red",
      "rededge071"
    ],
    "expression": "((0.2 * rededge078 + (1 - 0.2) * rededge075) - (0.2 * red + (1 - 0.2) * rededge071)) / ((0.2 * rededge078 + (1 - 0.2) * rededge075) + (0.2 * red + (1 - 0.2) * rededge071))",
    "range": [
      -0.23,
      0.56
    ],
    "source": "Liu et al. 2022, doi:10.1016/j.jag.2022.102793"
  },
  {
    "id": "ndvi705",
    "title": "Normalized Difference Vegetation Index (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "NDVI705"
    ],
    "bands": [
      "rededge075",
      "rededge071"
    ],
    "expression": "(rededge075 - rededge071) / (rededge075 + rededge071)",
    "range": [
      -0.2,
      0.5
    ],
    "source": "Gitelson and Merzlyak 1994, doi:10.1016/S0176-1617(11)81633-0"
  },
  {
    "id": "ndvimndwi",
    "title": "NDVI-MNDWI Model",
    "domain": "water",
    "aliases": [
      "NDVIMNDWI"
    ],
    "bands": [
      "nir",
      "red",
      "green",
      "swir16"
    ],
    "expression": "((nir - red) / (nir + red)) - ((green - swir16) / (green + swir16))",
    "range": [
      -1.2,
      1.4
    ],
    "source": "Zhou et al. 2015, doi:10.1007/978-3-662-45737-5_51"
  },
  {
    "id": "ndvisr",
    "title": "Normalized Difference Vegetation Index with Simple Ratio",
    "domain": "vegetation",
    "aliases": [
      "NDVISR"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir ** 2 - red) / (nir + red ** 2)",
    "range": [
      -2.1,
      0.4
    ],
    "source": "Gong et al. 2003, doi:10.1109/TGRS.2003.812910"
  },
  {
    "id": "ndwins",
    "title": "Normalized Difference Water Index with no Snow Cover and Glaciers",
    "domain": "water",
    "aliases": [
      "NDWIns"
    ],
    "bands": [
      "green",
      "nir"
    ],
    "expression": "(green - 2 * nir) / (green + nir)",
    "range": [
      -1.7,
      0.4
    ],
    "source": "Yan et al. 2020, doi:10.3390/w12051339"
  },
  {
    "id": "ndyi",
    "title": "Normalized Difference Yellowness Index",
    "domain": "vegetation",
    "aliases": [
      "NDYI"
    ],
    "bands": [
      "green",
      "blue"
    ],
    "expression": "(green - blue) / (green + blue)",
    "range": [
      -0.03,
      0.6
    ],
    "source": "Sulik and Long 2016, doi:10.1016/j.rse.2016.06.016"
  },
  {
    "id": "ngrdi",
    "title": "Normalized Green Red Difference Index",
    "domain": "vegetation",
    "aliases": [
      "NGRDI"
    ],
    "bands": [
      "green",
      "red"
    ],
    "expression": "(green - red) / (green + red)",
    "range": [
      -0.14,
      0.3
    ],
    "source": "Tucker 1979, doi:10.1016/0034-4257(79)90013-0"
  },
  {
    "id": "nhfd",
    "title": "Non-Homogeneous Feature Difference",
    "domain": "urban",
    "aliases": [
      "NHFD"
    ],
    "bands": [
      "rededge071",
      "coastal"
    ],
    "expression": "(rededge071 - coastal) / (rededge071 + coastal)",
    "range": [
      -0.3,
      0.8
    ],
    "source": "Wolf 2012, doi:10.1117/12.917717"
  },
  {
    "id": "nirv",
    "title": "Near-Infrared Reflectance of Vegetation",
    "domain": "vegetation",
    "aliases": [
      "NIRv"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "((nir - red) / (nir + red)) * nir",
    "range": [
      -0.04,
      0.35
    ],
    "source": "Badgley et al. 2017, doi:10.1126/sciadv.1602244"
  },
  {
    "id": "nli",
    "title": "Non-Linear Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "NLI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "((nir ** 2) - red) / ((nir ** 2) + red)",
    "range": [
      -1,
      0.6
    ],
    "source": "Goel and Qin 1994, doi:10.1080/02757259409532252"
  },
  {
    "id": "nmdi",
    "title": "Normalized Multi-band Drought Index",
    "domain": "vegetation",
    "aliases": [
      "NMDI"
    ],
    "bands": [
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "(nir - (swir16 - swir22)) / (nir + (swir16 - swir22))",
    "range": [
      0.45,
      0.93
    ],
    "source": "Wang and Qu 2007, doi:10.1029/2007GL031021"
  },
  {
    "id": "npci",
    "title": "Normalized Pigments Chlorophyll Ratio Index",
    "domain": "vegetation",
    "aliases": [
      "NPCI"
    ],
    "bands": [
      "red",
      "coastal"
    ],
    "expression": "(red - coastal) / (red + coastal)",
    "range": [
      -0.2,
      0.65
    ],
    "source": "Peñuelas et al. 1994, doi:10.1016/0034-4257(94)90136-8"
  },
  {
    "id": "nrfig",
    "title": "Normalized Rapeseed Flowering Index Green",
    "domain": "vegetation",
    "aliases": [
      "NRFIg"
    ],
    "bands": [
      "green",
      "swir22"
    ],
    "expression": "(green - swir22) / (green + swir22)",
    "range": [
      -0.6,
      0.9
    ],
    "source": "Han et al. 2020, doi:10.3390/rs13010105"
  },
  {
    "id": "nrfir",
    "title": "Normalized Rapeseed Flowering Index Red",
    "domain": "vegetation",
    "aliases": [
      "NRFIr"
    ],
    "bands": [
      "red",
      "swir22"
    ],
    "expression": "(red - swir22) / (red + swir22)",
    "range": [
      -0.6,
      0.9
    ],
    "source": "Han et al. 2020, doi:10.3390/rs13010105"
  },
  {
    "id": "nsds",
    "title": "Normalized Shortwave Infrared Difference Soil-Moisture",
    "domain": "soil",
    "aliases": [
      "NSDS"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(swir16 - swir22) / (swir16 + swir22)",
    "range": [
      0.02,
      0.39
    ],
    "source": "Nguyen et al. 2021, doi:10.3390/land10030231"
  },
  {
    "id": "nsdsi1",
    "title": "Normalized Shortwave-Infrared Difference Bare Soil Moisture Index 1",
    "domain": "soil",
    "aliases": [
      "NSDSI1"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(swir16 - swir22) / swir16",
    "range": [
      0.05,
      0.56
    ],
    "source": "Yue et al. 2019, doi:10.1016/j.isprsjprs.2019.06.012"
  },
  {
    "id": "nsdsi2",
    "title": "Normalized Shortwave-Infrared Difference Bare Soil Moisture Index 2",
    "domain": "soil",
    "aliases": [
      "NSDSI2"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(swir16 - swir22) / swir22",
    "range": [
      0,
      1.3
    ],
    "source": "Yue et al. 2019, doi:10.1016/j.isprsjprs.2019.06.012"
  },
  {
    "id": "nsdsi3",
    "title": "Normalized Shortwave-Infrared Difference Bare Soil Moisture Index 3",
    "domain": "soil",
    "aliases": [
      "NSDSI3"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(swir16 - swir22) / (swir16 + swir22)",
    "range": [
      0.02,
      0.39
    ],
    "source": "Yue et al. 2019, doi:10.1016/j.isprsjprs.2019.06.012"
  },
  {
    "id": "nwi",
    "title": "New Water Index",
    "domain": "water",
    "aliases": [
      "NWI"
    ],
    "bands": [
      "blue",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "(blue - (nir + swir16 + swir22)) / (blue + (nir + swir16 + swir22))",
    "range": [
      -1,
      0.3
    ],
    "source": "doi:10.11873/j.issn.1004-0323.2009.2.167"
  },
  {
    "id": "normg",
    "title": "Normalized Green",
    "domain": "vegetation",
    "aliases": [
      "NormG"
    ],
    "bands": [
      "green",
      "nir",
      "red"
    ],
    "expression": "green / (nir + green + red)",
    "range": [
      0.11,
      0.51
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "normnir",
    "title": "Normalized NIR",
    "domain": "vegetation",
    "aliases": [
      "NormNIR"
    ],
    "bands": [
      "nir",
      "green",
      "red"
    ],
    "expression": "nir / (nir + green + red)",
    "range": [
      0.15,
      0.81
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "normr",
    "title": "Normalized Red",
    "domain": "vegetation",
    "aliases": [
      "NormR"
    ],
    "bands": [
      "red",
      "nir",
      "green"
    ],
    "expression": "red / (nir + green + red)",
    "range": [
      0.06,
      0.4
    ],
    "source": "Sripada et al. 2005, doi:10.2134/agronj2004.0314"
  },
  {
    "id": "ocvi",
    "title": "Optimized Chlorophyll Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "OCVI"
    ],
    "bands": [
      "nir",
      "green",
      "red"
    ],
    "expression": "(nir / green) * (red / green) ** 1",
    "range": [
      0.2,
      4.4
    ],
    "source": "Vincini et al. 2008, doi:10.1007/s11119-008-9075-z"
  },
  {
    "id": "osavi",
    "title": "Optimized Soil-Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "OSAVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir - red) / (nir + red + 0.16)",
    "range": [
      -0.18,
      0.61
    ],
    "source": "Rondeaux et al. 1996, doi:10.1016/0034-4257(95)00186-7"
  },
  {
    "id": "osi",
    "title": "Oil Spill Index",
    "domain": "water",
    "aliases": [
      "OSI"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "(green + red) / blue",
    "range": [
      1.5,
      7.5
    ],
    "source": "Rajendran et al. 2021, doi:10.1016/j.mex.2021.101327"
  },
  {
    "id": "pi",
    "title": "Plastic Index",
    "domain": "water",
    "aliases": [
      "PI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "nir / (nir + red)",
    "range": [
      0.3,
      0.93
    ],
    "source": "Themistocleous et al. 2020, doi:10.3390/rs12162648"
  },
  {
    "id": "pisi",
    "title": "Perpendicular Impervious Surface Index",
    "domain": "urban",
    "aliases": [
      "PISI"
    ],
    "bands": [
      "blue",
      "nir"
    ],
    "expression": "0.8192 * blue - 0.5735 * nir + 0.075",
    "range": [
      -0.16,
      0.33
    ],
    "source": "Tian et al. 2018, doi:10.3390/rs10101521"
  },
  {
    "id": "rcc",
    "title": "Red Chromatic Coordinate",
    "domain": "vegetation",
    "aliases": [
      "RCC"
    ],
    "bands": [
      "red",
      "green",
      "blue"
    ],
    "expression": "red / (red + green + blue)",
    "range": [
      0.23,
      0.44
    ],
    "source": "Gillespie et al. 1987, doi:10.1016/0034-4257(87)90088-5"
  },
  {
    "id": "rdvi",
    "title": "Renormalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "RDVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir - red) / ((nir + red) ** 0.5)",
    "range": [
      -0.14,
      0.56
    ],
    "source": "Roujean and Breon 1995, doi:10.1016/0034-4257(94)00114-3"
  },
  {
    "id": "redsi",
    "title": "Red-Edge Disease Stress Index",
    "domain": "vegetation",
    "aliases": [
      "REDSI"
    ],
    "bands": [
      "rededge078",
      "red",
      "rededge071"
    ],
    "expression": "((705 - 665) * (rededge078 - red) - (783 - 665) * (rededge071 - red)) / (2 * red)",
    "range": [
      -3,
      80
    ],
    "source": "Zheng et al. 2018, doi:10.3390/s18030868"
  },
  {
    "id": "rendvi",
    "title": "Red Edge Normalized Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "RENDVI"
    ],
    "bands": [
      "rededge075",
      "rededge071"
    ],
    "expression": "(rededge075 - rededge071) / (rededge075 + rededge071)",
    "range": [
      -0.2,
      0.5
    ],
    "source": "Gitelson and Merzlyak 1994, doi:10.1016/S0176-1617(11)81633-0"
  },
  {
    "id": "rgbvi",
    "title": "Red Green Blue Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "RGBVI"
    ],
    "bands": [
      "green",
      "blue",
      "red"
    ],
    "expression": "(green ** 2 - blue * red) / (green ** 2 + blue * red)",
    "range": [
      0,
      0.67
    ],
    "source": "Bendig et al. 2015, doi:10.1016/j.jag.2015.02.012"
  },
  {
    "id": "rgri",
    "title": "Red-Green Ratio Index",
    "domain": "vegetation",
    "aliases": [
      "RGRI"
    ],
    "bands": [
      "red",
      "green"
    ],
    "expression": "red / green",
    "range": [
      0.53,
      1.31
    ],
    "source": "Saberioon et al. 2014, doi:10.1016/j.jag.2014.03.018"
  },
  {
    "id": "ri",
    "title": "Redness Index",
    "domain": "vegetation",
    "aliases": [
      "RI"
    ],
    "bands": [
      "red",
      "green"
    ],
    "expression": "(red - green) / (red + green)",
    "range": [
      -0.3,
      0.14
    ],
    "source": "Escadafal and Huete 1991, https://www.documentation.ird.fr/hor/fdi:34390"
  },
  {
    "id": "ri4xs",
    "title": "SPOT HRV XS-based Redness Index 4",
    "domain": "soil",
    "aliases": [
      "RI4XS"
    ],
    "bands": [
      "red",
      "green"
    ],
    "expression": "(red ** 2) / (green ** 4)",
    "range": [
      0,
      640
    ],
    "source": "Mathieu et al. 1998, doi:10.1016/S0034-4257(98)00030-3"
  },
  {
    "id": "rndvi",
    "title": "Reversed Normalized Difference Vegetation Index",
    "domain": "water",
    "aliases": [
      "RNDVI"
    ],
    "bands": [
      "red",
      "nir"
    ],
    "expression": "(red - nir) / (red + nir)",
    "range": [
      -0.9,
      0.4
    ],
    "source": "Themistocleous et al. 2020, doi:10.3390/rs12162648"
  },
  {
    "id": "rvi",
    "title": "Ratio Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "RVI"
    ],
    "bands": [
      "rededge075",
      "red"
    ],
    "expression": "rededge075 / red",
    "range": [
      0.5,
      8.7
    ],
    "source": "Birth and McVey 1968, doi:10.2134/agronj1968.00021962006000060016x"
  },
  {
    "id": "rvi4re",
    "title": "4-band Red Edge Ratio Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "RVI4RE"
    ],
    "bands": [
      "rededge078",
      "rededge075",
      "red",
      "rededge071"
    ],
    "expression": "(0.3 * rededge078 + (1 - 0.3) * rededge075) / (0.3 * red + (1 - 0.3) * rededge071)",
    "range": [
      0.6,
      4
    ],
    "source": "Liu et al. 2022, doi:10.1016/j.jag.2022.102793"
  },
  {
    "id": "rwi",
    "title": "Rescaled Water Index",
    "domain": "water",
    "aliases": [
      "RWI"
    ],
    "bands": [
      "green",
      "swir16"
    ],
    "expression": "((green ** (1 / 2.71828)) * (1 / 5) - swir16) / ((green ** (1 / 2.71828)) * (1 / 5) + swir16)",
    "range": [
      -0.6,
      0.9
    ],
    "source": "Justiniano et al. 2025, doi:10.1109/JSTARS.2025.3562089"
  },
  {
    "id": "s2rep",
    "title": "Sentinel-2 Red-Edge Position",
    "domain": "vegetation",
    "aliases": [
      "S2REP"
    ],
    "bands": [
      "rededge078",
      "red",
      "rededge071",
      "rededge075"
    ],
    "expression": "705 + 35 * ((((rededge078 + red) / 2) - rededge071) / (rededge075 - rededge071))",
    "range": [
      707,
      727
    ],
    "source": "Frampton et al. 2013, doi:10.1016/j.isprsjprs.2013.04.007"
  },
  {
    "id": "s2wi",
    "title": "Sentinel-2 Water Index",
    "domain": "water",
    "aliases": [
      "S2WI"
    ],
    "bands": [
      "rededge071",
      "swir22"
    ],
    "expression": "(rededge071 - swir22) / (rededge071 + swir22)",
    "range": [
      -0.4,
      0.9
    ],
    "source": "Jiang et al. 2021, doi:10.3390/w13121647"
  },
  {
    "id": "s3",
    "title": "S3 Snow Index",
    "domain": "snow",
    "aliases": [
      "S3"
    ],
    "bands": [
      "nir",
      "red",
      "swir16"
    ],
    "expression": "(nir * (red - swir16)) / ((nir + red) * (nir + swir16))",
    "range": [
      -0.3,
      0.44
    ],
    "source": "Saito and Yamazaki 1999, doi:10.3178/jjshwr.12.28"
  },
  {
    "id": "sarvi",
    "title": "Soil Adjusted and Atmospherically Resistant Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "SARVI"
    ],
    "bands": [
      "nir",
      "red",
      "blue"
    ],
    "expression": "(1 + 0.5) * (nir - (red - 1 * (blue - red))) / (nir + (red - 1 * (blue - red)) + 0.5)",
    "range": [
      -0.19,
      0.56
    ],
    "source": "Kaufman and Tanre 1992, doi:10.1109/36.134076"
  },
  {
    "id": "savi2",
    "title": "Soil-Adjusted Vegetation Index 2",
    "domain": "vegetation",
    "aliases": [
      "SAVI2"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "nir / (red + (0 / 1))",
    "range": [
      0,
      12
    ],
    "source": "Major et al. 1990, doi:10.1080/01431169008955053"
  },
  {
    "id": "savi4re",
    "title": "4-band Red Edge Soil Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "SAVI4RE"
    ],
    "bands": [
      "rededge078",
      "rededge075",
      "red",
      "rededge071"
    ],
    "expression": "2 * ((0.2 * rededge078 + (1 - 0.2) * rededge075) - (0.2 * red + (1 - 0.2) * rededge071)) / ((0.2 * rededge078 + (1 - 0.2) * rededge075) + (0.2 * red + (1 - 0.2) * rededge071 + 1))",
    "range": [
      -0.06,
      0.32
    ],
    "source": "Liu et al. 2022, doi:10.1016/j.jag.2022.102793"
  },
  {
    "id": "savisr",
    "title": "Soil-Adjusted Vegetation Index with Simple Ratio",
    "domain": "vegetation",
    "aliases": [
      "SAVISR"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir ** 2 - red) / (red * (nir + red + 0.5))",
    "range": [
      -1.9,
      3.4
    ],
    "source": "Gong et al. 2003, doi:10.1109/TGRS.2003.812910"
  },
  {
    "id": "scowi",
    "title": "Subtractive Coastal Water Index",
    "domain": "water",
    "aliases": [
      "SCoWI"
    ],
    "bands": [
      "blue",
      "green",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "blue + 2 * (green - nir) - 0.75 * swir16 - 0.5 * swir22",
    "range": [
      -0.9,
      0.9
    ],
    "source": "Bergsma et al. 2024, doi:10.3390/rs16152795"
  },
  {
    "id": "sevi",
    "title": "Shadow-Eliminated Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "SEVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(nir / red) + 0.581 * (1 / red)",
    "range": [
      1,
      38
    ],
    "source": "Jiang et al. 2019, doi:10.1080/17538947.2018.1495770"
  },
  {
    "id": "si",
    "title": "Shadow Index",
    "domain": "vegetation",
    "aliases": [
      "SI"
    ],
    "bands": [
      "blue",
      "green",
      "red"
    ],
    "expression": "((1 - blue) * (1 - green) * (1 - red)) ** (1 / 3)",
    "range": [
      0.17,
      0.98
    ],
    "source": "Rikimaru et al. 2002, https://www.researchgate.net/publication/255718070_Tropical_forest_cover_density_mapping"
  },
  {
    "id": "sipi",
    "title": "Structure Insensitive Pigment Index",
    "domain": "vegetation",
    "aliases": [
      "SIPI"
    ],
    "bands": [
      "nir",
      "coastal",
      "red"
    ],
    "expression": "(nir - coastal) / (nir - red)",
    "range": [
      0,
      2.9
    ],
    "source": "https://eurekamag.com/research/009/395/009395053.php"
  },
  {
    "id": "slavi",
    "title": "Specific Leaf Area Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "SLAVI"
    ],
    "bands": [
      "nir",
      "red",
      "swir22"
    ],
    "expression": "nir / (red + swir22)",
    "range": [
      0.3,
      3.5
    ],
    "source": "https://www.asprs.org/wp-content/uploads/pers/2000journal/february/2000_feb_183-191.pdf"
  },
  {
    "id": "sndti",
    "title": "Soil-Adjusted Normalized Difference Tillage Index",
    "domain": "vegetation",
    "aliases": [
      "SNDTI"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "(1 + 0.6) * (swir16 - swir22) / (swir16 + swir22 + 0.6)",
    "range": [
      0,
      0.2
    ],
    "source": "Ren et al. 2018, doi:10.1080/22797254.2017.1418186"
  },
  {
    "id": "sndti4re",
    "title": "4-band Red Edge Soil-Adjusted Normalized Difference Tillage Index",
    "domain": "vegetation",
    "aliases": [
      "SNDTI4RE"
    ],
    "bands": [
      "swir16",
      "swir22",
      "nir",
      "rededge078"
    ],
    "expression": "0.4 * ((swir16 - swir22) * 2) / (swir16 + swir22 + 1) + (1 - 0.4) * ((nir - rededge078) * 2) / (nir + rededge078 + 1)",
    "range": [
      -0.006,
      0.088
    ],
    "source": "Liu et al. 2022, doi:10.1016/j.jag.2022.102793"
  },
  {
    "id": "sr",
    "title": "Simple Ratio",
    "domain": "vegetation",
    "aliases": [
      "SR"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "nir / red",
    "range": [
      0,
      12
    ],
    "source": "Jordan 1969, doi:10.2307/1936256"
  },
  {
    "id": "sr2",
    "title": "Simple Ratio (800 and 550 nm)",
    "domain": "vegetation",
    "aliases": [
      "SR2"
    ],
    "bands": [
      "nir",
      "green"
    ],
    "expression": "nir / green",
    "range": [
      0.3,
      6.8
    ],
    "source": "Buschmann and Nagel 1993, doi:10.1080/01431169308904370"
  },
  {
    "id": "sr555",
    "title": "Simple Ratio (555 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "SR555"
    ],
    "bands": [
      "rededge075",
      "green"
    ],
    "expression": "rededge075 / green",
    "range": [
      0.3,
      5
    ],
    "source": "Gitelson and Merzlyak 1994, doi:10.1016/S0176-1617(11)81633-0"
  },
  {
    "id": "sr705",
    "title": "Simple Ratio (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "SR705"
    ],
    "bands": [
      "rededge075",
      "rededge071"
    ],
    "expression": "rededge075 / rededge071",
    "range": [
      0.6,
      3
    ],
    "source": "Gitelson and Merzlyak 1994, doi:10.1016/S0176-1617(11)81633-0"
  },
  {
    "id": "srvi",
    "title": "Symbolic Regression Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "SRVI"
    ],
    "bands": [
      "nir",
      "red",
      "green",
      "swir16"
    ],
    "expression": "(2 * nir - 3 * red) / (nir + red + 0.5 * (green + swir16))",
    "range": [
      -1,
      1.3
    ],
    "source": "Chrysostomou et al. 2026, doi:10.1038/s41598-025-34720-x"
  },
  {
    "id": "srwi",
    "title": "Symbolic Regression Water Index",
    "domain": "water",
    "aliases": [
      "SRWI"
    ],
    "bands": [
      "green",
      "blue",
      "nir",
      "swir16"
    ],
    "expression": "((green + blue) - (nir + swir16)) / ((green + blue) + (nir + swir16))",
    "range": [
      -0.8,
      0.7
    ],
    "source": "Chrysostomou et al. 2026, doi:10.1038/s41598-025-34720-x"
  },
  {
    "id": "sti",
    "title": "Simple Tillage Index",
    "domain": "vegetation",
    "aliases": [
      "STI"
    ],
    "bands": [
      "swir16",
      "swir22"
    ],
    "expression": "swir16 / swir22",
    "range": [
      1,
      2.3
    ],
    "source": "https://www.asprs.org/wp-content/uploads/pers/1997journal/jan/1997_jan_87-93.pdf"
  },
  {
    "id": "sti4re",
    "title": "4-band Red Edge Soil Tillage Index",
    "domain": "vegetation",
    "aliases": [
      "STI4RE"
    ],
    "bands": [
      "swir16",
      "swir22",
      "nir",
      "rededge078"
    ],
    "expression": "0.4 * swir16 / swir22 + (1 - 0.4) * nir / rededge078",
    "range": [
      1.05,
      1.57
    ],
    "source": "Liu et al. 2022, doi:10.1016/j.jag.2022.102793"
  },
  {
    "id": "sui",
    "title": "Sealed Urban Index",
    "domain": "urban",
    "aliases": [
      "SUI"
    ],
    "bands": [
      "green",
      "swir16",
      "swir22",
      "red"
    ],
    "expression": "((green - swir16) * (swir22 - red)) / ((green + swir16) * (swir22 + red))",
    "range": [
      -0.68,
      0.01
    ],
    "source": "Asad et al. 2026, doi:10.1080/01431161.2026.2715141"
  },
  {
    "id": "swi",
    "title": "Snow Water Index",
    "domain": "snow",
    "aliases": [
      "SWI"
    ],
    "bands": [
      "green",
      "nir",
      "swir16"
    ],
    "expression": "(green * (nir - swir16)) / ((green + nir) * (nir + swir16))",
    "range": [
      -0.06,
      0.41
    ],
    "source": "Dixit et al. 2019, doi:10.3390/rs11232774"
  },
  {
    "id": "swm",
    "title": "Sentinel Water Mask",
    "domain": "water",
    "aliases": [
      "SWM"
    ],
    "bands": [
      "blue",
      "green",
      "nir",
      "swir16"
    ],
    "expression": "(blue + green) / (nir + swir16)",
    "range": [
      0.1,
      4.3
    ],
    "source": "Milczarek et al. 2017, https://eoscience.esa.int/landtraining2017/files/posters/MILCZAREK.pdf"
  },
  {
    "id": "seli",
    "title": "Sentinel-2 LAI Green Index",
    "domain": "vegetation",
    "aliases": [
      "SeLI"
    ],
    "bands": [
      "nir08",
      "rededge071"
    ],
    "expression": "(nir08 - rededge071) / (nir08 + rededge071)",
    "range": [
      -0.29,
      0.6
    ],
    "source": "Pasqualotto et al. 2019, doi:10.3390/s19040904"
  },
  {
    "id": "tcari",
    "title": "Transformed Chlorophyll Absorption in Reflectance Index",
    "domain": "vegetation",
    "aliases": [
      "TCARI"
    ],
    "bands": [
      "rededge071",
      "red",
      "green"
    ],
    "expression": "3 * ((rededge071 - red) - 0.2 * (rededge071 - green) * (rededge071 / red))",
    "range": [
      -0.04,
      0.16
    ],
    "source": "Haboudane et al. 2002, doi:10.1016/S0034-4257(02)00018-4"
  },
  {
    "id": "tcariosavi",
    "title": "TCARI/OSAVI Ratio",
    "domain": "vegetation",
    "aliases": [
      "TCARIOSAVI"
    ],
    "bands": [
      "rededge071",
      "red",
      "green",
      "nir"
    ],
    "expression": "(3 * ((rededge071 - red) - 0.2 * (rededge071 - green) * (rededge071 / red))) / (1.16 * (nir - red) / (nir + red + 0.16))",
    "range": [
      0.05,
      0.52
    ],
    "source": "Haboudane et al. 2002, doi:10.1016/S0034-4257(02)00018-4"
  },
  {
    "id": "tcariosavi705",
    "title": "TCARI/OSAVI Ratio (705 and 750 nm)",
    "domain": "vegetation",
    "aliases": [
      "TCARIOSAVI705"
    ],
    "bands": [
      "rededge075",
      "rededge071",
      "green"
    ],
    "expression": "(3 * ((rededge075 - rededge071) - 0.2 * (rededge075 - green) * (rededge075 / rededge071))) / (1.16 * (rededge075 - rededge071) / (rededge075 + rededge071 + 0.16))",
    "range": [
      -0.2,
      2.5
    ],
    "source": "Wu et al. 2008, doi:10.1016/j.agrformet.2008.03.005"
  },
  {
    "id": "tci",
    "title": "Triangular Chlorophyll Index",
    "domain": "vegetation",
    "aliases": [
      "TCI"
    ],
    "bands": [
      "rededge071",
      "green",
      "red"
    ],
    "expression": "1.2 * (rededge071 - green) - 1.5 * (red - green) * (rededge071 / red) ** 0.5",
    "range": [
      -0.02,
      0.14
    ],
    "source": "Haboudane et al. 2008, doi:10.1109/TGRS.2007.904836"
  },
  {
    "id": "tdvi",
    "title": "Transformed Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "TDVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "1.5 * ((nir - red) / ((nir ** 2 + red + 0.5) ** 0.5))",
    "range": [
      -0.11,
      0.67
    ],
    "source": "Bannari et al., doi:10.1109/IGARSS.2002.1026867"
  },
  {
    "id": "tgi",
    "title": "Triangular Greenness Index",
    "domain": "vegetation",
    "aliases": [
      "TGI"
    ],
    "bands": [
      "red",
      "green",
      "blue"
    ],
    "expression": "-0.5 * (190 * (red - green) - 120 * (red - blue))",
    "range": [
      0,
      6.7
    ],
    "source": "Hunt et al. 2013, doi:10.1016/j.jag.2012.07.020"
  },
  {
    "id": "tmtcbrightness",
    "title": "Thematic Mapper Tasseled Cap Brightness Feature",
    "domain": "vegetation",
    "aliases": [
      "TMTCbrightness"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "0.3037 * blue + 0.2793 * green + 0.4743 * red + 0.5585 * nir + 0.5082 * swir16 + 0.1863 * swir22",
    "range": [
      0,
      1.4
    ],
    "source": "Crist and Cicone 1984, doi:10.1109/TGRS.1984.350619"
  },
  {
    "id": "tmtcfifth",
    "title": "Thematic Mapper Tasseled Cap Fifth Feature",
    "domain": "vegetation",
    "aliases": [
      "TMTCfifth"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "-0.328 * blue + 0.0549 * green + 0.1075 * red + 0.1855 * nir - 0.4357 * swir16 + 0.8085 * swir22",
    "range": [
      -0.01,
      0.17
    ],
    "source": "Crist and Cicone 1984, doi:10.1109/TGRS.1984.350619"
  },
  {
    "id": "tmtcfourth",
    "title": "Thematic Mapper Tasseled Cap Fourth Feature",
    "domain": "vegetation",
    "aliases": [
      "TMTCfourth"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "-0.8242 * blue + 0.0849 * green + 0.4392 * red - 0.058 * nir + 0.2012 * swir16 - 0.2768 * swir22",
    "range": [
      -0.3,
      0.03
    ],
    "source": "Crist and Cicone 1984, doi:10.1109/TGRS.1984.350619"
  },
  {
    "id": "tmtcgreenness",
    "title": "Thematic Mapper Tasseled Cap Greenness Feature",
    "domain": "vegetation",
    "aliases": [
      "TMTCgreenness"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "-0.2848 * blue - 0.2435 * green - 0.5436 * red + 0.7243 * nir + 0.084 * swir16 - 0.18 * swir22",
    "range": [
      -0.35,
      0.26
    ],
    "source": "Crist and Cicone 1984, doi:10.1109/TGRS.1984.350619"
  },
  {
    "id": "tmtcsixth",
    "title": "Thematic Mapper Tasseled Cap Sixth Feature",
    "domain": "vegetation",
    "aliases": [
      "TMTCsixth"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "0.1084 * blue - 0.9022 * green + 0.412 * red + 0.0573 * nir - 0.0251 * swir16 + 0.0238 * swir22",
    "range": [
      -0.28,
      0
    ],
    "source": "Crist and Cicone 1984, doi:10.1109/TGRS.1984.350619"
  },
  {
    "id": "tmtcwetness",
    "title": "Thematic Mapper Tasseled Cap Wetness Feature",
    "domain": "vegetation",
    "aliases": [
      "TMTCwetness"
    ],
    "bands": [
      "blue",
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "0.1509 * blue + 0.1973 * green + 0.3279 * red + 0.3406 * nir - 0.7112 * swir16 - 0.4572 * swir22",
    "range": [
      -0.2,
      0.7
    ],
    "source": "Crist and Cicone 1984, doi:10.1109/TGRS.1984.350619"
  },
  {
    "id": "trrvi",
    "title": "Transformed Red Range Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "TRRVI"
    ],
    "bands": [
      "rededge075",
      "red",
      "nir"
    ],
    "expression": "((rededge075 - red) / (rededge075 + red)) / (((nir - red) / (nir + red)) + 1)",
    "range": [
      -0.51,
      0.43
    ],
    "source": "Blanco et al. 2020, doi:10.3390/rs12152359"
  },
  {
    "id": "tsavi",
    "title": "Transformed Soil-Adjusted Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "TSAVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "1 * (nir - 1 * red - 0) / (1 * nir + red - 1 * 0)",
    "range": [
      -0.4,
      0.9
    ],
    "source": "Baret et al., doi:10.1109/IGARSS.1989.576128"
  },
  {
    "id": "ttvi",
    "title": "Transformed Triangular Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "TTVI"
    ],
    "bands": [
      "rededge078",
      "rededge075",
      "nir08"
    ],
    "expression": "0.5 * ((865 - 740) * (rededge078 - rededge075) - (nir08 - rededge075) * (783 - 740))",
    "range": [
      -0.2,
      2.6
    ],
    "source": "Xing et al. 2019, doi:10.3390/rs12010016"
  },
  {
    "id": "tvi",
    "title": "Transformed Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "TVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(((nir - red) / (nir + red)) + 0.5) ** 0.5",
    "range": [
      0.33,
      1.16
    ],
    "source": "Rouse et al. 1973, https://ntrs.nasa.gov/citations/19740022614"
  },
  {
    "id": "twi",
    "title": "Triangle Water Index",
    "domain": "water",
    "aliases": [
      "TWI"
    ],
    "bands": [
      "rededge071",
      "rededge075",
      "green",
      "swir22",
      "blue",
      "nir"
    ],
    "expression": "(2.84 * (rededge071 - rededge075) / (green + swir22)) + ((1.25 * (green - blue) - (nir - blue)) / (nir + 1.25 * green - 0.25 * blue))",
    "range": [
      -4.7,
      1.1
    ],
    "source": "Niu et al. 2022, doi:10.3390/rs14215289"
  },
  {
    "id": "trivi",
    "title": "Triangular Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "TriVI"
    ],
    "bands": [
      "nir",
      "green",
      "red"
    ],
    "expression": "0.5 * (120 * (nir - green) - 200 * (red - green))",
    "range": [
      -5,
      25
    ],
    "source": "Broge and Leblanc 2001, doi:10.1016/S0034-4257(00)00197-8"
  },
  {
    "id": "ui",
    "title": "Urban Index",
    "domain": "urban",
    "aliases": [
      "UI"
    ],
    "bands": [
      "swir22",
      "nir"
    ],
    "expression": "(swir22 - nir) / (swir22 + nir)",
    "range": [
      -0.84,
      0.13
    ],
    "source": "https://www.isprs.org/proceedings/XXXI/congress/part7/321_XXXI-part7.pdf"
  },
  {
    "id": "vari",
    "title": "Visible Atmospherically Resistant Index",
    "domain": "vegetation",
    "aliases": [
      "VARI"
    ],
    "bands": [
      "green",
      "red",
      "blue"
    ],
    "expression": "(green - red) / (green + red - blue)",
    "range": [
      -0.19,
      0.67
    ],
    "source": "Gitelson et al. 2002, doi:10.1016/S0034-4257(01)00289-9"
  },
  {
    "id": "vari700",
    "title": "Visible Atmospherically Resistant Index (700 nm)",
    "domain": "vegetation",
    "aliases": [
      "VARI700"
    ],
    "bands": [
      "rededge071",
      "red",
      "blue"
    ],
    "expression": "(rededge071 - 1.7 * red + 0.7 * blue) / (rededge071 + 1.3 * red - 1.3 * blue)",
    "range": [
      -1.1,
      0.6
    ],
    "source": "Gitelson et al. 2002, doi:10.1016/S0034-4257(01)00289-9"
  },
  {
    "id": "vi700",
    "title": "Vegetation Index (700 nm)",
    "domain": "vegetation",
    "aliases": [
      "VI700"
    ],
    "bands": [
      "rededge071",
      "red"
    ],
    "expression": "(rededge071 - red) / (rededge071 + red)",
    "range": [
      -0.13,
      0.5
    ],
    "source": "Gitelson et al. 2002, doi:10.1016/S0034-4257(01)00289-9"
  },
  {
    "id": "vibi",
    "title": "Vegetation Index Built-up Index",
    "domain": "urban",
    "aliases": [
      "VIBI"
    ],
    "bands": [
      "nir",
      "red",
      "swir16"
    ],
    "expression": "((nir - red) / (nir + red)) / (((nir - red) / (nir + red)) + ((swir16 - nir) / (swir16 + nir)))",
    "range": [
      0,
      2.5
    ],
    "source": "Stathakis et al. 2012, doi:10.1080/01431161.2012.687842"
  },
  {
    "id": "vig",
    "title": "Vegetation Index Green",
    "domain": "vegetation",
    "aliases": [
      "VIG"
    ],
    "bands": [
      "green",
      "red"
    ],
    "expression": "(green - red) / (green + red)",
    "range": [
      -0.14,
      0.3
    ],
    "source": "Gitelson et al. 2002, doi:10.1016/S0034-4257(01)00289-9"
  },
  {
    "id": "vgnirbi",
    "title": "Visible Green-Based Built-Up Index",
    "domain": "urban",
    "aliases": [
      "VgNIRBI"
    ],
    "bands": [
      "green",
      "nir"
    ],
    "expression": "(green - nir) / (green + nir)",
    "range": [
      -0.8,
      0.6
    ],
    "source": "Estoque and Murayama 2015, doi:10.1016/j.ecolind.2015.03.037"
  },
  {
    "id": "vrnirbi",
    "title": "Visible Red-Based Built-Up Index",
    "domain": "urban",
    "aliases": [
      "VrNIRBI"
    ],
    "bands": [
      "red",
      "nir"
    ],
    "expression": "(red - nir) / (red + nir)",
    "range": [
      -0.9,
      0.4
    ],
    "source": "Estoque and Murayama 2015, doi:10.1016/j.ecolind.2015.03.037"
  },
  {
    "id": "wci1",
    "title": "Wheat Canopy Index (Growth Stage 1)",
    "domain": "vegetation",
    "aliases": [
      "WCI1"
    ],
    "bands": [
      "blue",
      "red",
      "rededge071",
      "green",
      "nir"
    ],
    "expression": "-1 * ((blue - red + rededge071) / (blue + red + rededge071 + 1e-10)) * ((green + red) / (blue + nir + 1e-10))",
    "range": [
      -0.5,
      -0.12
    ],
    "source": "Lotfi et al. 2026, doi:10.1016/j.mlwa.2026.100914"
  },
  {
    "id": "wci2",
    "title": "Wheat Canopy Index (Growth Stage 2)",
    "domain": "vegetation",
    "aliases": [
      "WCI2"
    ],
    "bands": [
      "blue",
      "green",
      "rededge071",
      "red",
      "nir"
    ],
    "expression": "-1 * ((blue + green + rededge071) / (red + 1e-10)) * ((blue + red + rededge071) / (nir + 1e-10))",
    "range": [
      -26,
      -2
    ],
    "source": "Lotfi et al. 2026, doi:10.1016/j.mlwa.2026.100914"
  },
  {
    "id": "wci3",
    "title": "Wheat Canopy Index (Growth Stage 3)",
    "domain": "vegetation",
    "aliases": [
      "WCI3"
    ],
    "bands": [
      "blue",
      "red",
      "green",
      "rededge071",
      "nir"
    ],
    "expression": "((blue - red) / (blue + red + 1e-10)) * (1 - 2 / (exp(2 * (red - max(blue, green, rededge071, nir))) + 1))",
    "range": [
      -0.01,
      0.18
    ],
    "source": "Lotfi et al. 2026, doi:10.1016/j.mlwa.2026.100914"
  },
  {
    "id": "wdrvi",
    "title": "Wide Dynamic Range Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "WDRVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "(0.1 * nir - red) / (0.1 * nir + red)",
    "range": [
      -0.92,
      0.09
    ],
    "source": "Gitelson 2004, doi:10.1078/0176-1617-01176"
  },
  {
    "id": "wdvi",
    "title": "Weighted Difference Vegetation Index",
    "domain": "vegetation",
    "aliases": [
      "WDVI"
    ],
    "bands": [
      "nir",
      "red"
    ],
    "expression": "nir - 1 * red",
    "range": [
      -0.09,
      0.39
    ],
    "source": "Clevers 1989, doi:10.1016/0034-4257(89)90076-X"
  },
  {
    "id": "wi1",
    "title": "Water Index 1",
    "domain": "water",
    "aliases": [
      "WI1"
    ],
    "bands": [
      "green",
      "swir22"
    ],
    "expression": "(green - swir22) / (green + swir22)",
    "range": [
      -0.6,
      0.9
    ],
    "source": "Viaña-Borja and Ortega-Sánchez 2019, doi:10.3390/rs11182186"
  },
  {
    "id": "wi2",
    "title": "Water Index 2",
    "domain": "water",
    "aliases": [
      "WI2"
    ],
    "bands": [
      "blue",
      "swir22"
    ],
    "expression": "(blue - swir22) / (blue + swir22)",
    "range": [
      -0.7,
      0.9
    ],
    "source": "Viaña-Borja and Ortega-Sánchez 2019, doi:10.3390/rs11182186"
  },
  {
    "id": "wi2015",
    "title": "Water Index 2015",
    "domain": "water",
    "aliases": [
      "WI2015"
    ],
    "bands": [
      "green",
      "red",
      "nir",
      "swir16",
      "swir22"
    ],
    "expression": "1.7204 + 171 * green + 3 * red - 70 * nir - 45 * swir16 - 71 * swir22",
    "range": [
      -40,
      90
    ],
    "source": "Fisher et al. 2016, doi:10.1016/j.rse.2015.12.055"
  },
  {
    "id": "wri",
    "title": "Water Ratio Index",
    "domain": "water",
    "aliases": [
      "WRI"
    ],
    "bands": [
      "green",
      "red",
      "nir",
      "swir16"
    ],
    "expression": "(green + red) / (nir + swir16)",
    "range": [
      0.1,
      3.9
    ],
    "source": "Shen and Li 2010, doi:10.1109/GEOINFORMATICS.2010.5567762"
  },
  {
    "id": "bnirv",
    "title": "Blue Near-Infrared Reflectance of Vegetation",
    "domain": "vegetation",
    "aliases": [
      "bNIRv"
    ],
    "bands": [
      "nir",
      "blue"
    ],
    "expression": "((nir - blue) / (nir + blue)) * nir",
    "range": [
      -0.05,
      0.4
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  },
  {
    "id": "mnd705",
    "title": "Modified Normalized Difference (705, 750 and 445 nm)",
    "domain": "vegetation",
    "aliases": [
      "mND705"
    ],
    "bands": [
      "rededge075",
      "rededge071",
      "coastal"
    ],
    "expression": "(rededge075 - rededge071) / (rededge075 + rededge071 - coastal)",
    "range": [
      -1.2,
      0.6
    ],
    "source": "Sims and Gamon 2002, doi:10.1016/S0034-4257(02)00010-X"
  },
  {
    "id": "msr705-2002",
    "title": "Modified Simple Ratio (705 and 445 nm)",
    "domain": "vegetation",
    "aliases": [
      "mSR705"
    ],
    "bands": [
      "rededge075",
      "coastal"
    ],
    "expression": "(rededge075 - coastal) / (rededge075 + coastal)",
    "range": [
      -0.4,
      0.9
    ],
    "source": "Sims and Gamon 2002, doi:10.1016/S0034-4257(02)00010-X"
  },
  {
    "id": "snirvlswi",
    "title": "SWIR-enhanced Near-Infrared Reflectance of Vegetation for LSWI",
    "domain": "vegetation",
    "aliases": [
      "sNIRvLSWI"
    ],
    "bands": [
      "nir",
      "swir22"
    ],
    "expression": "((nir - swir22) / (nir + swir22)) * nir",
    "range": [
      -0.03,
      0.61
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  },
  {
    "id": "snirvndpi",
    "title": "SWIR-enhanced Near-Infrared Reflectance of Vegetation for NDPI",
    "domain": "vegetation",
    "aliases": [
      "sNIRvNDPI"
    ],
    "bands": [
      "nir",
      "red",
      "swir22"
    ],
    "expression": "(nir - (0.74 * red + (1 - 0.74) * swir22)) / (nir + (0.74 * red + (1 - 0.74) * swir22)) * nir",
    "range": [
      -0.02,
      0.33
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  },
  {
    "id": "snirvndvilswip",
    "title": "SWIR-enhanced Near-Infrared Reflectance of Vegetation for the NDVI-LSWI Product",
    "domain": "vegetation",
    "aliases": [
      "sNIRvNDVILSWIP"
    ],
    "bands": [
      "nir",
      "red",
      "swir22"
    ],
    "expression": "((nir - red) / (nir + red)) * ((nir - swir22) / (nir + swir22)) * nir",
    "range": [
      -0.04,
      0.22
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  },
  {
    "id": "snirvndvilswis",
    "title": "SWIR-enhanced Near-Infrared Reflectance of Vegetation for the NDVI-LSWI Sum",
    "domain": "vegetation",
    "aliases": [
      "sNIRvNDVILSWIS"
    ],
    "bands": [
      "nir",
      "red",
      "swir22"
    ],
    "expression": "(((nir - red) / (nir + red)) + ((nir - swir22) / (nir + swir22))) * nir",
    "range": [
      0,
      0.62
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  },
  {
    "id": "snirvswir",
    "title": "SWIR-enhanced Near-Infrared Reflectance of Vegetation",
    "domain": "vegetation",
    "aliases": [
      "sNIRvSWIR"
    ],
    "bands": [
      "nir",
      "red",
      "swir22"
    ],
    "expression": "((nir - red - swir22 ** 2) / (nir + red + swir22 ** 2)) * nir",
    "range": [
      -0.05,
      0.33
    ],
    "source": "Ranjbar et al. 2024, doi:10.1029/2024JG008240"
  }
];
