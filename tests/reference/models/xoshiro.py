#!/usr/bin/env python3
"""The first numbers of xoshiro256** 1.0 with a state from splitmix64, from the definitions in
Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2018), for random_test.cpp."""

M = (1 << 64) - 1


def splitmix64(seed):
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & M
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
        yield z ^ (z >> 31)


def rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & M


def xoshiro(seed):
    filler = splitmix64(seed)
    s = [next(filler) for _ in range(4)]
    while True:
        yield (rotl((s[1] * 5) & M, 7) * 9) & M
        t = (s[1] << 17) & M
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)


if __name__ == "__main__":
    for seed in (0, 42):
        numbers = xoshiro(seed)
        print(seed, [hex(next(numbers)) for _ in range(3)])
