"""Folds batch norms into convolutions as the reference exporter does, with PyTorch, for the tensors
that tests/core/convert/cnn/cnn_conversions_test.cpp makes: prints the CRC-32 of the weights and of the biases.

Needs python3-torch. Run it anywhere: it reads and writes no files.
"""
import zlib

import torch
from torch.nn.utils.fusion import fuse_conv_bn_weights


def made(n, seed, scale=64.0):
    """The numbers of `values()` in the test, exact in float32."""
    return torch.tensor([((i * 37 + seed * 11) % 101 - 50) / scale for i in range(n)])


def crc(tensor):
    return f"0x{zlib.crc32(tensor.detach().contiguous().numpy().tobytes()):08X}"


def fold(bias):
    weight = made(6 * 3 * 9, 1).reshape(6, 3, 3, 3)
    gamma, beta, mean = made(6, 3), made(6, 4), made(6, 5)
    variance = made(6, 6).abs() + 0.25
    # fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)
    w, b = fuse_conv_bn_weights(weight, bias, mean, variance, 1e-5, gamma, beta)
    print("bias" if bias is not None else "no bias", crc(w), crc(b))


fold(None)
fold(made(6, 2))
