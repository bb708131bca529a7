// The small unsigned numbers that quantizing libraries pack into words, line by line. A line is a
// row of the matrix, or one group's zero points, whatever the order in the file.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace ambry::convert {

enum class Packing : uint8_t {
  Lines,        // each line is a stream of bits in words of 32, from the lowest bit on
  Columns,      // a line is a column of 32-bit words, and a stream of bits from word to word
  AwqColumns,   // words of 8 neighboring lines, 4 bits of each, in AWQ's order
  HighFirst,    // 4 bits, the first number of a byte in its high half; lines follow each other
  LowFirst,     // 4 bits, the first number of a byte in its low half; lines follow each other
  ByteLines,    // each line is a stream of bits in whole bytes, from the lowest bit on
  Bytes,        // a byte each
  SignedBytes,  // a byte each, in two's complement; unpacked as the number plus 128
};

struct PackedCodes {
  Packing packing = Packing::Lines;
  uint32_t bits = 4;  // at most 8
  uint64_t lines = 0;
  uint64_t count = 0;  // numbers in a line
  // Bytes and LowFirst: whether lines are the columns of what is stored row after row.
  bool by_columns = false;
  // Bits to be inverted: the highest bit of signed numbers, so that each is read as the number plus
  // half the range.
  uint8_t inverted = 0;
};

// More than any line has. Keeps sizes from passing 64 bits.
inline constexpr uint64_t kMostCodes = uint64_t{1} << 40;
// Whether so many numbers fill 32-bit words, and how many words they take; `count` is at most
// kMostCodes in the second.
[[nodiscard]] bool fill_words(uint64_t count, uint32_t bits);
[[nodiscard]] uint64_t words_of(uint64_t count, uint32_t bits);

// The bytes of a line of ByteLines; `count` is at most kMostCodes.
[[nodiscard]] uint64_t bytes_of_line(const PackedCodes& how);

// Unpacks `out.size()` = count numbers of a line.
void unpack_line(const PackedCodes& how, Bytes bytes, uint64_t line, std::span<uint8_t> out);

// Unpacks whole lines from `first` on, as many as `out` has room for. Faster than line by line
// where lines are columns.
void unpack_lines(const PackedCodes& how, Bytes bytes, uint64_t first, std::span<uint8_t> out);

// Inverts these bits of each code.
void invert_bits(std::span<uint8_t> codes, uint8_t bits);

}  // namespace ambry::convert
