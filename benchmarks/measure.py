"""What a child process costs, and how a machine is named."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path

import peers

# An installed program has its bytecode; one from a checkout shall write it once, too.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def cpu_of_ended(process: subprocess.Popen[bytes]) -> float:
    """Wait for a child and give the CPU seconds it took; its wall time is the caller's. Not a number on Windows."""
    if not hasattr(os, "wait4"):
        process.wait()
        return float("nan")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return float(usage.ru_utime + usage.ru_stime)


def cpu_so_far(pid: int) -> float:
    """The CPU seconds that a living process has taken, all threads, to the nanosecond (Linux)."""
    return time.clock_gettime((~pid << 3) | 2)


def peak_memory(pid: int) -> float:
    """The most memory that a living process has held, in MB (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6


def machine() -> str:
    """The machine and its load, in one line."""
    node = subprocess.run([peers.NODE, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}, "
        f"Python {platform.python_version()}, Node {node.lstrip('v')}"
    )


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
