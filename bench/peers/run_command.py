"""Runs a command and prints what it cost from its launch to its end: milliseconds, CPU milliseconds and peak resident bytes."""

import json
import resource
import subprocess
import sys
import time

start = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
wall = time.perf_counter() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(
    json.dumps(
        {"wall": wall * 1000, "cpu": (usage.ru_utime + usage.ru_stime) * 1000, "peak": usage.ru_maxrss * 1024, "code": code}
    )
)
