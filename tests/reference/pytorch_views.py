"""Writes checkpoints of views (slices, steps, transposed and expanded tensors), and what torch.load gives for them.

Needs PyTorch (Debian's python3-torch). Run: /usr/bin/python3 tests/reference/pytorch_views.py

It writes to tests/fixtures/pytorch/:
    views.pt     views of a few storages, by torch.save
    views.json   for each tensor of views.pt: its type, shape, and the bytes of its values in order, in hexadecimal
"""

import io
import json
from collections import OrderedDict
from pathlib import Path

import torch

folder = Path(__file__).parent.parent / "fixtures" / "pytorch"


def views() -> "OrderedDict[str, torch.Tensor]":
    torch.manual_seed(20261129)
    matrix = torch.randn(9, 14)
    block = torch.randn(3, 4, 5, 2)
    row = torch.randn(11)
    return OrderedDict(
        whole=matrix,
        columns=matrix[:, :5],
        last_columns=matrix[:, 9:],
        rows=matrix[2:6],
        every_second_row=matrix[::2],
        every_third_column=matrix[1:8:3, 2::3],
        transposed=matrix.t(),
        part_of_transposed=matrix.t()[3:9, ::4],
        one_column=matrix[:, 7],
        diagonal=matrix.diagonal(2),
        windows=row.unfold(0, 4, 2),
        expanded_row=row.expand(3, 11),
        expanded_column=matrix[:4, 3:4].expand(4, 6),
        one_number_expanded=torch.tensor(1.5).expand(2, 2),
        permuted=block.permute(2, 0, 3, 1),
        channels_last=block.contiguous(memory_format=torch.channels_last),
        inner=block[1:, ::3, 2:4, :],
        none=matrix[:, 4:4],
        halves=matrix.half()[::3, 1::2],
        brain=matrix.bfloat16()[:, ::5],
        doubles=matrix.double().t()[::7],
    )


def bytes_of(tensor: torch.Tensor) -> str:
    buffer = tensor.contiguous()
    if buffer.dtype == torch.bfloat16:  # NumPy has no such type
        buffer = buffer.view(torch.int16)
    return buffer.numpy().tobytes().hex()


def main() -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = io.BytesIO()
    torch.save(views(), file)
    (folder / "views.pt").write_bytes(file.getvalue())
    loaded = torch.load(folder / "views.pt")
    facts = {
        name: {
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "shape": list(tensor.shape),
            "bytes": bytes_of(tensor),
        }
        for name, tensor in loaded.items()
    }
    (folder / "views.json").write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
