"""How a small decoder is trained."""

import copy
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Plan:
    steps: int
    warmup: int = 60
    lowest: float = 0.02
    matrix_rate: float = 0.02
    other_rate: float = 4e-3
    momentum: float = 0.95
    # How many steps at the end the rate falls in. The whole time along a cosine without.
    fall: int | None = None

    def share_of_rate(self, step):
        """Up, and down again."""
        if self.fall is not None:
            left = min(1, (self.steps - step) / self.fall)
            return min((step + 1) / self.warmup, self.lowest + (1 - self.lowest) * max(0, left))
        turn = math.pi * max(0, step - self.warmup) / (self.steps - self.warmup)
        fall = self.lowest + (1 - self.lowest) * (1 + math.cos(turn)) / 2
        return min((step + 1) / self.warmup, fall)


def orthogonal(matrix):
    """The matrix with all its singular values near 1, by five steps of a Newton-Schulz iteration."""
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = (matrix.T if is_tall else matrix) / (matrix.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (2.0315 * square @ square - 4.775 * square) @ x
    return x.T if is_tall else x


class Muon(torch.optim.Optimizer):
    """For the matrices of layers (Jordan and others 2024): every direction moves at the same speed, which takes
    far fewer steps until names are copied from earlier in the text."""

    def __init__(self, parameters, plan):
        super().__init__(parameters, {"lr": plan.matrix_rate})
        self.momentum = plan.momentum

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for matrix in group["params"]:
                past = self.state[matrix].setdefault("past", torch.zeros_like(matrix))
                past.mul_(self.momentum).add_(matrix.grad)
                move = orthogonal(matrix.grad + self.momentum * past)
                stretch = max(1, matrix.shape[0] / matrix.shape[1]) ** 0.5
                matrix.add_(move, alpha=-group["lr"] * stretch)


class Halves:
    """Learns from two halves of a batch at once, each in a thread."""

    def __init__(self, net):
        self.net, self.copies = net, [copy.deepcopy(net) for _ in range(2)]
        for one in self.copies:
            for mine, shared in zip(one.parameters(), net.parameters()):
                mine.data = shared.data
        self.threads = ThreadPoolExecutor(2)

    def learn(self, batches):
        """The gradients of the net are then the mean of both. `batches`: what `loss` takes, twice."""
        losses = list(self.threads.map(self._learn, self.copies, batches))
        for shared, *both in zip(*(one.parameters() for one in (self.net, *self.copies))):
            shared.grad = (both[0].grad + both[1].grad) / 2
        return sum(losses) / 2

    @staticmethod
    def _learn(net, batch):
        torch.set_flush_denormal(True)
        return learnt(net, *batch)


def learnt(net, *batch):
    """Gives the net its gradients. Returns the loss."""
    net.zero_grad()
    loss = net.loss(*batch)
    loss.backward()
    return loss.item()


def train(net, plan, learn, after=lambda step: None):
    """`learn(step)` gives the net its gradients and returns the loss. Prints the mean loss of each 100 steps."""
    torch.set_flush_denormal(True)
    in_layers = [matrix for matrix in net.layers.parameters() if matrix.dim() == 2]
    others = [one for one in net.parameters() if all(one is not matrix for matrix in in_layers)]
    optimizers = [
        Muon(in_layers, plan),
        torch.optim.Adam(others, plan.other_rate, betas=(0.9, 0.98)),
    ]
    schedules = [torch.optim.lr_scheduler.LambdaLR(one, plan.share_of_rate) for one in optimizers]
    mean = 0.0
    for step in range(plan.steps):
        loss = learn(step)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for part in (*optimizers, *schedules):
            part.step()
        mean += loss / 100
        if step % 100 == 99:
            print(f"step {step + 1}: {mean:.4f}", flush=True)
            mean = 0.0
        after(step)
    return net.eval()
