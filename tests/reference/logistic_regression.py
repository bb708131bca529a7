"""Multinomial logistic regression on a few points, by plain gradient descent.

Prints the minimum that tests/web/text-classifier/training.test.ts expects: the value of the mean loss with the cost of
the weights, and the weights and biases there. Run it as /usr/bin/python3 tests/reference/logistic_regression.py
"""

import math

ROWS = [[1.0, 0.0], [0.8, 0.6], [0.0, 1.0], [-0.6, 0.8], [-1.0, 0.0], [0.6, -0.8], [0.6, 0.8]]
TARGETS = [0, 0, 1, 1, 2, 2, 2]
LABELS = 3
L2 = 0.1


def value_and_gradient(weights, biases):
    n = len(ROWS)
    dim = len(ROWS[0])
    value = L2 / (2 * n) * sum(w * w for row in weights for w in row)
    gradient = [[L2 / n * w for w in row] for row in weights]
    slope = [0.0] * LABELS
    for x, target in zip(ROWS, TARGETS):
        logits = [b + sum(w * v for w, v in zip(row, x)) for row, b in zip(weights, biases)]
        most = max(logits)
        total = sum(math.exp(z - most) for z in logits)
        value += (most + math.log(total) - logits[target]) / n
        for k in range(LABELS):
            error = (math.exp(logits[k] - most) / total - (k == target)) / n
            slope[k] += error
            for i in range(dim):
                gradient[k][i] += error * x[i]
    return value, gradient, slope


def main():
    weights = [[0.0, 0.0] for _ in range(LABELS)]
    biases = [0.0] * LABELS
    for _ in range(200_000):
        _, gradient, slope = value_and_gradient(weights, biases)
        weights = [[w - g for w, g in zip(a, b)] for a, b in zip(weights, gradient)]
        biases = [b - s for b, s in zip(biases, slope)]
    value, gradient, slope = value_and_gradient(weights, biases)
    flat = max(abs(g) for row in [*gradient, slope] for g in row)
    print(f"largest gradient {flat:.1e}")
    print(f"value {value:.9f}")
    print("weights", [[round(w, 5) for w in row] for row in weights])
    print("biases", [round(b, 5) for b in biases])


main()
