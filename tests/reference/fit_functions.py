"""Fits the coefficients of core/kernels/activation/exp.h and core/kernels/activation/activation.h and prints their errors.

    python3 tests/reference/fit_functions.py

Minimax by Lawson's iteration: least squares whose weights grow where the error is largest; for the
rational function the linearised problem is weighted by the last denominator. The coefficients are
rounded to binary32 before the printed errors are measured, and evaluated in binary32 as the
kernels do. Needs numpy only.
"""
import math

import numpy as np

f32 = np.float32


def lawson(rows, target, scale, n_rounds=400):
    """Coefficients c that nearly minimise max |rows @ c - target| * scale."""
    weight = np.ones(len(target)) / len(target)
    best, best_error = None, math.inf
    for _ in range(n_rounds):
        w = np.sqrt(weight) * scale
        c = np.linalg.lstsq(rows * w[:, None], target * w, rcond=None)[0]
        error = np.abs(rows @ c - target) * scale
        if error.max() < best_error:
            best, best_error = c, error.max()
        weight = weight * (error + 1e-3 * error.max())
        weight /= weight.sum()
    return best


def fit_exp(degree=6):
    """e^r = 1 + r + r^2 p(r) on |r| <= ln(2)/2, relative error."""
    r = np.cos(np.linspace(0, math.pi, 4001)) * (math.log(2) / 2 * 1.0001)
    r = r[np.abs(r) > 1e-3]
    p = (np.expm1(r) - r) / r**2
    return lawson(np.vander(r, degree - 1, increasing=True), p, r**2 / np.exp(r))


def tail(a):
    """a * (1 - Phi(a)): what GELU(x) lacks of max(x, 0), at a = |x|."""
    return np.array([v * 0.5 * math.erfc(v / math.sqrt(2)) for v in a])


def fit_gelu_tail(n_top, n_bottom, end):
    """a * N(a) / D(a), D(0) = 1, on [0, end], absolute error."""
    a = (1 - np.cos(np.linspace(0, math.pi, 4001))) * end / 2
    h = tail(a)
    denominator = np.ones_like(a)
    best, best_error = None, math.inf
    for _ in range(60):
        top = np.vander(a, n_top + 1, increasing=True) * a[:, None]
        bottom = -np.vander(a, n_bottom + 1, increasing=True)[:, 1:] * h[:, None]
        c = lawson(np.hstack([top, bottom]), h, 1 / denominator, 60)
        numerator = top @ c[: n_top + 1]
        denominator = 1 + np.vander(a, n_bottom + 1, increasing=True)[:, 1:] @ c[n_top + 1 :]
        error = np.abs(numerator / denominator - h).max()
        if error < best_error and denominator.min() > 0:
            best, best_error = c, error
    return np.concatenate([best[: n_top + 1]]), np.concatenate([[1.0], best[n_top + 1 :]]), best_error


def horner(coefficients, x):
    result = np.full_like(x, f32(coefficients[-1]))
    for c in coefficients[-2::-1]:
        result = result * x + f32(c)
    return result


def show(name, coefficients):
    print(name, ", ".join(f"{f32(c):.9g}F" for c in coefficients))


def main():
    p = fit_exp()
    show("exp, from r^2 up:", p)
    x = np.linspace(-87, 88, 2_000_001).astype(f32)
    n = np.rint(x * f32(math.log2(math.e)))
    r = (x - n * f32(0.693359375)) - n * f32(-2.12194440e-4)
    value = ((horner(p, r) * r) * r + r) + f32(1)
    exact = np.exp(x.astype(np.float64))
    got = value.astype(np.float64) * np.exp2(n.astype(np.float64))
    ulp = np.exp2(np.floor(np.log2(exact)) - 23)
    print(f"  largest error {np.max(np.abs(got - exact) / ulp):.3f} ULP")

    end = 6.0
    top, bottom, fit_error = fit_gelu_tail(5, 8, end)
    show("gelu tail, numerator from a^1 up:", top)
    show("gelu tail, denominator:", bottom)
    x = np.linspace(-12, 12, 2_000_001).astype(f32)
    a = np.minimum(np.abs(x), f32(end))
    value = np.maximum(x, f32(0)) - a * horner(top, a) / horner(bottom, a)
    exact = x.astype(np.float64) * 0.5 * np.array([math.erfc(-v / math.sqrt(2)) for v in x.astype(np.float64)])
    error = np.abs(value - exact)
    print(f"  fit error {fit_error:.3g}; in binary32 {error[x < 4].max():.3g} absolute for x < 4,"
          f" {(error / np.maximum(np.abs(exact), 1)).max():.3g} relative to max(|gelu|, 1)")


if __name__ == "__main__":
    main()
