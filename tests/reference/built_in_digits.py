"""Makes the networks that the classify page has built in, from digits that it draws itself.

    /usr/bin/python3 tests/reference/built_in_digits.py web/demo/public/models tests/fixtures/digits/sheet.png

Needs Debian's python3-torch, and the project's own command line (npm run build) for everything after the
training: the vanilla file, and DQ8 and SQ8 from it. Takes about three minutes of one core. The sheet has ten
digits a row, never trained on, row d showing the digit d.

A digit is a few arcs and lines, warped, sheared, turned, moved, and inked with a round pen, dark on bright or
bright on dark. Everything is seeded; the bytes depend on the libraries' versions only.
"""

import json
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn

ROOT = Path(__file__).resolve().parents[2]
SIZE = 28
SEGMENTS = 44  # of all strokes of a digit together
TRAINED, EPOCHS, BATCH = 40_000, 8, 64
CALIBRATED = 64
MEAN, STD = 0.5, 0.25
OPS = ["conv", "relu", "maxpool:2:2:0"] * 2 + ["conv", "relu", "flatten", "linear"]


def arc(x, y, across, down, start, end):
    """Degrees, clockwise from the right, as y goes down."""
    angles = np.radians(np.linspace(start, end, 33))
    return np.stack([x + across * np.cos(angles), y + down * np.sin(angles)], axis=1)


def line(*points):
    return np.array(points, float)


def bow(a, b, c):
    """A quadratic curve from a to c."""
    t = np.linspace(0, 1, 17)[:, None]
    a, b, c = map(np.array, (a, b, c))
    return (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c


def path(*parts):
    return np.concatenate(parts)


# The ways in which people write each digit: strokes in a box of 1 by 1.
ZERO = arc(0.5, 0.5, 0.28, 0.42, -90, 270)
SEVEN = line((0.22, 0.1), (0.78, 0.1), (0.42, 0.92))
NINE = arc(0.5, 0.32, 0.24, 0.23, 0, 360)
WAYS = [
    [[ZERO], [arc(0.5, 0.5, 0.36, 0.42, -60, 300)]],
    [
        [line((0.5, 0.08), (0.5, 0.92))],
        [line((0.33, 0.26), (0.52, 0.08), (0.52, 0.92))],
        [line((0.33, 0.24), (0.52, 0.08), (0.52, 0.92)), line((0.32, 0.92), (0.72, 0.92))],
    ],
    [
        [path(arc(0.5, 0.31, 0.26, 0.23, -165, 45), line((0.24, 0.92), (0.78, 0.92)))],
        [
            path(
                arc(0.5, 0.31, 0.25, 0.23, -150, 40),
                arc(0.36, 0.8, 0.12, 0.11, -20, -330),
                line((0.8, 0.9)),
            )
        ],
    ],
    [
        [path(arc(0.47, 0.29, 0.24, 0.21, -150, 90), arc(0.47, 0.71, 0.28, 0.21, -90, 150))],
        [path(line((0.24, 0.1), (0.72, 0.1), (0.46, 0.42)), arc(0.45, 0.67, 0.28, 0.25, -80, 150))],
    ],
    [
        [line((0.34, 0.1), (0.22, 0.58), (0.8, 0.58)), line((0.62, 0.3), (0.62, 0.92))],
        [line((0.64, 0.92), (0.64, 0.08), (0.2, 0.62), (0.82, 0.62))],
        [line((0.3, 0.12), (0.28, 0.5), (0.72, 0.5)), line((0.74, 0.1), (0.7, 0.92))],
    ],
    [
        [path(line((0.74, 0.1), (0.34, 0.1), (0.3, 0.46)), arc(0.47, 0.66, 0.27, 0.26, -130, 150))],
        [
            line((0.32, 0.1), (0.76, 0.1)),
            path(line((0.32, 0.1), (0.3, 0.46)), arc(0.47, 0.66, 0.27, 0.26, -130, 140)),
        ],
    ],
    [
        [path(bow((0.68, 0.08), (0.26, 0.3), (0.26, 0.68)), arc(0.5, 0.68, 0.24, 0.23, 180, 540))],
        [path(line((0.56, 0.08), (0.3, 0.6)), arc(0.5, 0.68, 0.23, 0.23, 200, 550))],
    ],
    [[SEVEN], [SEVEN, line((0.38, 0.5), (0.74, 0.5))], [path(line((0.22, 0.2)), SEVEN)]],
    [
        [arc(0.5, 0.29, 0.21, 0.2, 90, 450), arc(0.5, 0.71, 0.26, 0.22, -90, 270)],
        [arc(0.5, 0.3, 0.24, 0.21, 90, 450), arc(0.5, 0.71, 0.24, 0.2, -90, 270)],
    ],
    [
        [NINE, line((0.74, 0.32), (0.7, 0.92))],
        [NINE, bow((0.74, 0.3), (0.78, 0.76), (0.38, 0.92))],
    ],
]


def resampled(strokes):
    """Segments of about the same length: their ends, [SEGMENTS, 2, 2], centred at 0."""
    lengths = [np.linalg.norm(np.diff(stroke, axis=0), axis=1) for stroke in strokes]
    shares = np.array([length.sum() for length in lengths])
    counts = np.maximum(2, np.round(SEGMENTS * shares / shares.sum())).astype(int)
    counts[np.argmax(counts)] += SEGMENTS - counts.sum()
    segments = []
    for stroke, length, count in zip(strokes, lengths, counts):
        along = np.concatenate([[0], np.cumsum(length)])
        at = np.linspace(0, along[-1], count + 1)
        points = np.stack([np.interp(at, along, stroke[:, axis]) for axis in (0, 1)], axis=1)
        segments.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(segments) - 0.5


WAYS = [[resampled(strokes) for strokes in ways] for ways in WAYS]


def pose(random, digits):
    """The segments of digits, each warped and placed in its own way, in pixels: [n, SEGMENTS, 2, 2]."""
    n = len(digits)
    ends = np.stack([WAYS[d][random.integers(len(WAYS[d]))] for d in digits])
    one = lambda low, high: random.uniform(low, high, (n, 1, 1))
    for axis in (0, 1):  # a slow wave along the other axis
        wave = one(0.0, 0.05) * np.sin(one(2, 7) * ends[..., 1 - axis] + one(0, 6.3))
        ends[..., axis] += wave
    x, y = ends[..., 0] * one(0.75, 1.15), ends[..., 1]
    x = x + one(-0.3, 0.2) * y
    turn = one(-0.2, 0.2)
    x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    scale = one(15, 27)
    placed = []
    for values in (x * scale, y * scale):
        low, high = values.min((1, 2), keepdims=True), values.max((1, 2), keepdims=True)
        room = np.maximum(0.0, SIZE - 3 - (high - low))
        placed.append(values - low + 1.5 + room * np.clip(random.normal(0.5, 0.2, (n, 1, 1)), 0, 1))
    return np.stack(placed, axis=-1).astype(np.float32)


def draw(random, digits):
    """Digits as pictures from 0 to 1: [n, SIZE, SIZE]."""
    ends, n = pose(random, digits), len(digits)
    grid = np.arange(SIZE, dtype=np.float32) + 0.5
    pixels = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(1, -1, 1, 2)
    start, along = ends[:, None, :, 0], ends[:, None, :, 1] - ends[:, None, :, 0]
    part = ((pixels - start) * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-6)
    off = pixels - start - np.clip(part, 0, 1)[..., None] * along
    distance = np.sqrt((off * off).sum(-1).min(-1)).reshape(n, SIZE, SIZE)
    one = lambda low, high: random.uniform(low, high, (n, 1, 1)).astype(np.float32)
    softness = one(0.5, 1.2)
    ink = np.clip((one(0.6, 2.1) - distance) / softness + 0.5, 0, 1)
    dark, bright = one(0, 0.35), one(0.7, 1)
    slope = one(-0.1, 0.1) * (grid / SIZE - 0.5) + one(-0.1, 0.1) * (grid / SIZE - 0.5)[:, None]
    picture = bright + slope + (dark - bright) * ink
    picture = np.where(random.random((n, 1, 1)) < 0.3, 1 - picture, picture)
    noise = random.normal(0, 1, picture.shape) * one(0, 0.05)
    return np.clip(picture + noise, 0, 1).astype(np.float32)


def drawn(seed, digits):
    random = np.random.default_rng(seed)
    parts = [draw(random, digits[i : i + 250]) for i in range(0, len(digits), 250)]
    return np.concatenate(parts)


def normalised(pictures):
    return (torch.from_numpy(pictures)[:, None] - MEAN) / STD


def train(pictures, digits):
    torch.manual_seed(1)
    net = nn.Sequential(
        *(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.Flatten()),
        nn.Linear(24 * 49, 10),
    )
    inputs, wanted = normalised(pictures), torch.from_numpy(digits)
    optimizer = torch.optim.Adam(net.parameters(), 2e-3, weight_decay=1e-5)
    steps = EPOCHS * (len(inputs) // BATCH)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for epoch in range(EPOCHS):
        for batch in torch.randperm(len(inputs))[: len(inputs) // BATCH * BATCH].split(BATCH):
            optimizer.zero_grad()
            logits = net(inputs[batch])
            loss = nn.functional.cross_entropy(logits, wanted[batch], label_smoothing=0.05)
            loss.backward()
            optimizer.step()
            schedule.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}", flush=True)
    return net


def write_png(path, rows):
    """Greys, [height, width] of bytes."""
    height, width = rows.shape
    raw = b"".join(b"\0" + row.tobytes() for row in rows)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(raw, 9)),
        (b"IEND", b""),
    ]
    out = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        out += struct.pack(">I", len(data)) + kind + data
        out += struct.pack(">I", zlib.crc32(kind + data))
    Path(path).write_bytes(out)


def ambry(*arguments):
    subprocess.run(["node", str(ROOT / "dist/cli/main.js"), *map(str, arguments)], check=True)


def export(net, calibration, target):
    """The three files of the network and its plan, by the project's own command line."""
    plan = {
        "input": [1, SIZE, SIZE],
        "ops": OPS,
        "image": {"mean": [MEAN], "std": [STD], "resize": "crop"},
        "labels": [str(digit) for digit in range(10)],
    }
    plan_file = target / "digits-plan.json"
    plan_file.write_text(json.dumps(plan) + "\n")
    facts = {f"conv.{i}.{name}": "1" for i in range(3) for name in ("stride", "pad")}
    with tempfile.TemporaryDirectory() as folder:
        weights, metadata = f"{folder}/digits.pt", f"{folder}/metadata.json"
        torch.save(net.state_dict(), weights)
        Path(metadata).write_text(json.dumps(facts))
        whole = target / "digits-vanilla.bin"
        ambry("convert", weights, whole, "--to", "tinyruntime", "--metadata", metadata)
        ambry("quantize", whole, target / "digits-dq8.bin", "--type", "dq8", "--group", 24)
        images = []
        for i, picture in enumerate(calibration):
            name = f"{folder}/{i}.f32"
            picture.numpy().astype("<f4").tofile(name)
            images += ["--images", name]
        sq8 = ["--type", "sq8", "--plan", plan_file, *images]
        ambry("quantize", whole, target / "digits-sq8.bin", *sq8)


def main(target, sheet):
    torch.set_num_threads(1)
    digits = np.random.default_rng(1).integers(0, 10, TRAINED)
    pictures = drawn(2, digits)
    net = train(pictures, digits)
    shown = np.repeat(np.arange(10), 10)
    cells = drawn(3, shown)
    with torch.no_grad():
        right = (net(normalised(cells)).argmax(1).numpy() == shown).sum()
        many = np.random.default_rng(4).integers(0, 10, 5000)
        share = (net(normalised(drawn(5, many))).argmax(1).numpy() == many).mean()
    print(f"{right} of {len(shown)} on the sheet, {share:.4f} of {len(many)} others")
    rows = cells.reshape(10, 10, SIZE, SIZE).transpose(0, 2, 1, 3).reshape(10 * SIZE, 10 * SIZE)
    write_png(sheet, np.round(rows * 255).astype(np.uint8))
    export(net, normalised(pictures[:CALIBRATED]), Path(target))


if __name__ == "__main__":
    main(*sys.argv[1:])
