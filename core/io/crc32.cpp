#include "io/crc32.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "base/lazy.h"

namespace ambry::io {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320U;

using Table = std::array<uint32_t, 256>;

// Not constexpr: the compiler would store the table, and everyone would download its 1 KB of random
// bytes.
std::unique_ptr<Table> make_table() {
  auto table = std::make_unique<Table>();
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    (*table)[byte] = crc;
  }
  return table;
}

// One byte at a time, for short runs and for the last 300 words of long ones.
uint32_t update_by_table(uint32_t crc, Bytes bytes) {
  static constinit Lazy<Table> lazy_table;
  const Table& table = lazy_table.get(make_table);
  for (const uint8_t byte : bytes) crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFFU];
  return crc;
}

// WebAssembly has no carry-less multiplication. Long division by a sparse multiple of the
// polynomial P needs none (Russell, "Chorba", arXiv 2412.16398). P divides G = x^300 + x^155 +
// x^117 + x^89 + 1, its multiple of five terms of least degree. P also divides G(x^64), which is G
// squared six times, so 64-bit words can serve as coefficients. Each quotient word is the message's
// word XOR the words 145, 183, 211 and 300 before it. The 300 words left at the end have the same
// remainder as the message. This is 3.5 times as fast as slicing by eight tables (in V8).
constexpr size_t kDegree = 300;
constexpr size_t kBlockWords = 1024;
// Below this length the table is as fast.
constexpr size_t kMinWords = 2 * kDegree;

uint64_t next_word(const uint8_t* message, const uint64_t* quotient) {
  return load_le<uint64_t>(message) ^ quotient[-145] ^ quotient[-183] ^ quotient[-211] ^
         quotient[-300];
}

// Product of two polynomials modulo P, both reflected: bit 31 is x^0.
uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = 1U << 31; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1U) != 0 ? kPolynomial : 0U);
  }
  return product;
}

}  // namespace

void Crc32::update(Bytes bytes) {
  size_t left = bytes.size() / sizeof(uint64_t);
  if (left < kMinWords) {
    state_ = update_by_table(state_, bytes);
    return;
  }
  // The words of one block, after the last words of the block before.
  std::array<uint64_t, kDegree + kBlockWords> words{};
  uint64_t* const quotient = words.data() + kDegree;
  words[0] = state_;  // changes only the first word of the message
  const uint8_t* data = bytes.data();
  for (left -= kDegree; left > 0;) {
    const size_t n = std::min(left, kBlockWords);
    for (size_t i = 0; i < n; ++i) quotient[i] = next_word(data + i * 8, quotient + i);
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(n), kDegree, words.begin());
    data += n * 8;
    left -= n;
  }
  std::fill_n(quotient, kDegree, 0);
  std::array<uint64_t, kDegree> remainder;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (size_t i = 0; i < kDegree; ++i) remainder[i] = next_word(data + i * 8, quotient + i);
  data += kDegree * 8;
  state_ = update_by_table(0, bytes_of(std::span<const uint64_t>(remainder)));
  state_ = update_by_table(state_, {data, bytes.data() + bytes.size()});
}

uint32_t crc32(Bytes bytes) {
  Crc32 crc;
  crc.update(bytes);
  return crc.value();
}

uint32_t crc32_of_both(uint32_t first, uint32_t second, uint64_t second_bytes) {
  // Computes x^(8 n) by squaring.
  uint32_t power = 1U << 31;
  uint32_t square = 1U << 23;  // x^8
  for (uint64_t n = second_bytes; n > 0; n >>= 1) {
    if ((n & 1U) != 0) power = multiply(power, square);
    square = multiply(square, square);
  }
  return multiply(first, power) ^ second;
}

}  // namespace ambry::io
