#include "io/crc32.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace ambry::io {
namespace {

TEST(Crc32, MatchesPublishedVectors) {
  EXPECT_EQ(crc32({}), 0U);
  EXPECT_EQ(crc32(as_bytes("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32(as_bytes("The quick brown fox jumps over the lazy dog")), 0x414FA339U);
  EXPECT_EQ(crc32(std::vector<uint8_t>(32, 0xFF)), 0xFF6CAB0BU);
}

TEST(Crc32, GivesTheSameCrcForAnySplit) {
  std::vector<uint8_t> bytes(1000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * i);
  const uint32_t whole = crc32(bytes);
  for (size_t cut = 0; cut <= 40; ++cut) {
    Crc32 crc;
    crc.update(Bytes(bytes).first(cut));
    crc.update(Bytes(bytes).subspan(cut, 333));
    crc.update(Bytes(bytes).subspan(cut + 333));
    EXPECT_EQ(crc.value(), whole);
  }
}

// The bit-by-bit definition of the CRC.
uint32_t slow_crc32(Bytes bytes) {
  uint32_t crc = 0xFFFFFFFFU;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::vector<uint8_t> noise(size_t size) {
  std::vector<uint8_t> bytes(size);
  uint32_t state = 1;
  for (uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return bytes;
}

TEST(Crc32, LongRunsMatchTheTableMethod) {
  const auto bytes = noise(40'000);
  // Lengths around the shortest run that is divided, around the block's length and its multiples.
  for (const size_t words : {599U, 600U, 601U, 745U, 1324U, 1325U, 2348U, 2349U, 4900U}) {
    for (const size_t odd : {0U, 1U, 7U}) {
      const Bytes run = Bytes(bytes).subspan(odd, words * 8 + odd);
      EXPECT_EQ(crc32(run), slow_crc32(run)) << words << " words + " << odd;
    }
  }
}

TEST(Crc32, AcceptsALongRunAfterAShortOne) {
  const auto bytes = noise(30'000);
  Crc32 crc;
  crc.update(Bytes(bytes).first(13));
  crc.update(Bytes(bytes).subspan(13, 10'000));
  crc.update(Bytes(bytes).subspan(10'013));
  EXPECT_EQ(crc.value(), slow_crc32(bytes));
}

TEST(Crc32, CombinesTheCrcsOfAdjacentRuns) {
  const auto bytes = noise(20'000);
  for (const size_t cut : {0U, 1U, 9U, 5000U, 19'999U, 20'000U}) {
    const Bytes second = Bytes(bytes).subspan(cut);
    EXPECT_EQ(crc32_of_both(crc32(Bytes(bytes).first(cut)), crc32(second), second.size()),
              crc32(bytes));
  }
}

TEST(Crc32, CombinesRunsOfManyGigabytes) {
  // Zeros after a run multiply its state by a power of x, so both halves must give the CRC of all.
  const uint32_t one = crc32(noise(5));
  const uint64_t n = uint64_t{3} << 33;
  const uint32_t zeros = crc32_of_both(0, 0, n);
  EXPECT_EQ(crc32_of_both(crc32_of_both(one, zeros, n), zeros, n),
            crc32_of_both(one, crc32_of_both(zeros, zeros, n), 2 * n));
}

}  // namespace
}  // namespace ambry::io
