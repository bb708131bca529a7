// Random numbers that are the same for a seed in every build: xoshiro256** 1.0 by D. Blackman and
// S. Vigna (2018), seeded by splitmix64 as they advise. Not for secrets.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace ambry {

class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9E3779B97F4A7C15U;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
      word = z ^ (z >> 31);
    }
  }

  uint64_t next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // A number from 0 to bound-1, all equally likely: draws that would favor some are rejected.
  uint64_t below(uint64_t bound) {
    assert(bound > 0);
    const uint64_t uneven = (0 - bound) % bound;  // 2^64 mod bound
    uint64_t drawn = next();
    while (drawn < uneven) drawn = next();
    return drawn % bound;
  }

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace ambry
