"""What tests/core/api/words/words_converted_test.cpp expects of analogy questions: brute force, counted as
finalfusion-utils does (core/formats/finalfusion/README.md#analogy-accuracy).

    python3 tests/reference/words/analogy_accuracy.py VECTORS.txt QUESTIONS.txt

VECTORS.txt has a word and its numbers a line; rows get length 1. Needs numpy only.
"""
import sys

import numpy as np


def read_vectors(path):
    words, rows = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.rstrip("\n").split(" ")
            words.append(word)
            rows.append(np.array(numbers, dtype=np.float32))
    matrix = np.stack(rows)
    return words, matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def main(vectors, questions):
    words, matrix = read_vectors(vectors)
    row_of = {word: row for row, word in enumerate(words)}
    sections, name = {}, ""
    with open(questions, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(": "):
                name = line[2:].rstrip("\n")
                continue
            a, b, c, d = line.split()
            counts = sections.setdefault(name, [0, 0, 0, 0.0])  # correct, count, skipped, cosines
            if d not in row_of:
                counts[2] += 1
                continue
            counts[1] += 1
            if not all(word in row_of for word in (a, b, c)):
                continue
            asked = [row_of[word] for word in (a, b, c)]
            query = matrix[asked[1]] - matrix[asked[0]] + matrix[asked[2]]
            scores = matrix @ (query / np.linalg.norm(query))
            scores[asked] = -np.inf
            best = int(np.argmax(scores))
            counts[0] += words[best] == d
            counts[3] += float(scores[best])
    for name, (correct, count, skipped, cosines) in sorted(sections.items()):
        print(f'{{"{name}", {correct}, {count}, {skipped}, {cosines / max(count, 1):.6f}}},')


main(*sys.argv[1:])
