#!/usr/bin/env python3
"""Time training steps of the default network, several rounds, settings interleaved.

usage: bench.py [--peers] [--rounds N] [--batch 32,128,512] PROGRAM

With --peers real Keras does the same steps in the same rounds. Prints milliseconds a step (min and
median over the rounds) and the share of the processor's peak, measured in the same run.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
STEPS = 300


def run(command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def time_here(program, batch):
    data = f"synthetic:{STEPS * batch},784,10"
    timing = run([program, "train", "--data", data, "--epochs", 2, "--batch", batch, "--no-out",
                  "--quiet", "--json"])["timing"]
    return timing["ms_per_step"], timing["peak_fraction"]


def time_keras(python, batch):
    return run([python, HERE / "peer_keras.py", batch, STEPS])["ms_per_step"], None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batch", default="32,128,512")
    return parser.parse_args()


def main():
    args = arguments()
    racers = {"quickstep": lambda batch: time_here(args.program, batch)}
    if args.peers:
        python = subprocess.run([HERE.parent / "tools/setup_keras.sh"], stdout=subprocess.PIPE,
                                text=True, check=True).stdout.strip()
        racers["keras"] = lambda batch: time_keras(python, batch)
    cells = {(int(batch), name): [] for batch in args.batch.split(",") for name in racers}
    for _ in range(args.rounds):
        for batch, name in cells:
            cells[batch, name].append(racers[name](batch))
    print(f"{'batch':>6} {'':12} {'min ms':>8} {'median':>8} {'of peak':>8}")
    for (batch, name), times in cells.items():
        ms = [time for time, _ in times]
        shares = [share for _, share in times if share is not None]
        share = f"{statistics.median(shares):8.1%}" if shares else f"{'-':>8}"
        print(f"{batch:6} {name:12} {min(ms):8.3f} {statistics.median(ms):8.3f} {share}")


if __name__ == "__main__":
    main()
