"""Draws a time series in CSV from standard input into a PNG: curve.py FILE."""

import csv
import sys
from datetime import datetime

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# %% The table: an empty value is a masked observation
rows = list(csv.DictReader(sys.stdin))
for row in rows:
    row["time"] = datetime.fromisoformat(row["datetime"].replace("Z", "+00:00"))
seen = [row for row in rows if row["value"] != ""]
masked = [row for row in rows if row["value"] == ""]

# %% One line through all sensors, which are harmonized; a color for each of them
figure, axes = plt.subplots(figsize=(10, 5))
axes.plot([row["time"] for row in seen], [float(row["value"]) for row in seen], color="0.75", zorder=1)
for collection in sorted({row["collection"] for row in seen}):
    own = [row for row in seen if row["collection"] == collection]
    axes.scatter([row["time"] for row in own], [float(row["value"]) for row in own], label=collection, zorder=2)
if masked:
    transform = axes.get_xaxis_transform()
    axes.plot([row["time"] for row in masked], [0.02] * len(masked), "|", color="0.5", transform=transform, label="masked")
axes.set_ylabel("NDVI")
axes.legend()
figure.savefig(sys.argv[1], dpi=120)
print(f"{len(seen)} values and {len(masked)} masked observations in {sys.argv[1]}")
