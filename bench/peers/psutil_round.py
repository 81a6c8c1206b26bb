"""One round of psutil: `WORK PASSES`. Prints {"us": [...], "facts": {...}}; the first call is left out."""
import json
import sys
import time

import psutil


def processes():
    attributes = ["pid", "ppid", "name", "uids", "create_time"]
    return sum(1 for _ in psutil.process_iter(attributes))


def listeners():
    return sum(1 for one in psutil.net_connections("inet") if one.status in ("LISTEN", "NONE"))


work = {"processes": processes, "listeners": listeners}[sys.argv[1]]
us = []
seen = work()
for _ in range(int(sys.argv[2])):
    started = time.perf_counter_ns()
    seen = work()
    us.append((time.perf_counter_ns() - started) / 1000)
print(json.dumps({"us": us, "facts": {"seen": seen}}))
