"""Times in the ladder are processor times."""

import subprocess
import sys
import time

from pocketmars_agents.ladder.times import processor_time


def test_the_time_of_other_processes_counts() -> None:
    """A bundle runs in another process; if its time did not count, this test would not end."""
    start, own = processor_time(), time.process_time()
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as process:
        while processor_time() - start < 0.2 + 2 * (time.process_time() - own):
            time.sleep(0.05)
        process.kill()
