#include "convert/checkpoint_quantization/packed_codes.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace ambry::convert {
namespace {

constexpr uint32_t kWordBits = 32;
constexpr size_t kWordBytes = 4;

// The place in its word of each of 8 neighboring columns: AWQ puts columns 0, 2, 4, 6, 1, 3, 5, 7
// into the word from its lowest bits on.
constexpr std::array<uint32_t, 8> kAwqPlaces = {0, 4, 1, 5, 2, 6, 3, 7};

uint32_t word_at(Bytes bytes, uint64_t index) {
  return load_le<uint32_t>(bytes.data() + static_cast<size_t>(index) * kWordBytes);
}

// A stream of bits in words that lie `step` words apart.
void unpack_stream(Bytes bytes, uint64_t first, uint64_t step, uint32_t bits,
                   std::span<uint8_t> out) {
  const uint32_t mask = (1U << bits) - 1;
  uint64_t held = 0;
  uint32_t n_held = 0;
  uint64_t word = first;
  for (uint8_t& code : out) {
    if (n_held < bits) {
      held |= uint64_t{word_at(bytes, word)} << n_held;
      n_held += kWordBits;
      word += step;
    }
    code = static_cast<uint8_t>(held & mask);
    held >>= bits;
    n_held -= bits;
  }
}

void unpack_awq(Bytes bytes, const PackedCodes& how, uint64_t line, std::span<uint8_t> out) {
  const uint32_t shift = 4 * kAwqPlaces[static_cast<size_t>(line % 8)];
  const uint64_t words = how.lines / 8;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<uint8_t>(word_at(bytes, i * words + line / 8) >> shift & 15U);
  }
}

void unpack_byte_stream(Bytes bytes, uint32_t bits, std::span<uint8_t> out) {
  const uint32_t mask = (1U << bits) - 1;
  uint32_t held = 0;
  uint32_t n_held = 0;
  size_t next = 0;
  for (uint8_t& code : out) {
    if (n_held < bits) {
      held |= uint32_t{bytes[next++]} << n_held;
      n_held += 8;
    }
    code = static_cast<uint8_t>(held & mask);
    held >>= bits;
    n_held -= bits;
  }
}

uint8_t half_of(uint8_t both, bool high) { return high ? both >> 4 : both & 15U; }

// Some columns of what is stored row after row, in squares, so that few lines of memory are in use.
// `listed` gives the number at a place of the list of all.
template <class Listed>
void unpack_columns(const PackedCodes& how, uint64_t first, std::span<uint8_t> out,
                    const Listed& listed) {
  constexpr size_t kSquare = 32;
  const auto count = static_cast<size_t>(how.count);
  const auto step = static_cast<size_t>(how.lines);
  for (size_t row = 0; row < count; row += kSquare) {
    const size_t end = std::min(count, row + kSquare);
    for (size_t line = 0; line < out.size() / count; ++line) {
      size_t at = row * step + static_cast<size_t>(first) + line;
      for (size_t i = row; i < end; ++i, at += step) out[line * count + i] = listed(at);
    }
  }
}

// Makes rows of columns. Byte j of word i is the one in row i and column j.
void transpose_square(std::array<uint64_t, 8>& words) {
  constexpr std::array<uint64_t, 3> kMasks = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF,
                                              0x00FF00FF00FF00FF};
  size_t apart = 4;
  for (const uint64_t mask : kMasks) {
    for (size_t i = 0; i < words.size(); ++i) {
      if ((i & apart) != 0) continue;
      const uint64_t swapped = ((words[i] >> (8 * apart)) ^ words[i + apart]) & mask;
      words[i + apart] ^= swapped;
      words[i] ^= swapped << (8 * apart);
    }
    apart /= 2;
  }
}

// As unpack_columns() for codes of a byte, in squares of 8 by 8 as far as these fit.
void unpack_byte_columns(const PackedCodes& how, Bytes bytes, uint64_t first,
                         std::span<uint8_t> out) {
  std::array<uint64_t, 8> square;
  const auto count = static_cast<size_t>(how.count);
  const auto step = static_cast<size_t>(how.lines);
  const size_t n_lines = out.size() / count;
  const uint8_t* const from = bytes.data() + static_cast<size_t>(first);
  const size_t even_rows = count - count % 8;
  const size_t even_lines = n_lines - n_lines % 8;
  for (size_t row = 0; row < even_rows; row += 8) {
    for (size_t line = 0; line < even_lines; line += 8) {
      for (size_t i = 0; i < 8; ++i) square[i] = load_le<uint64_t>(from + (row + i) * step + line);
      transpose_square(square);
      for (size_t i = 0; i < 8; ++i) store_le(&out[(line + i) * count + row], square[i]);
    }
  }
  for (size_t line = 0; line < n_lines; ++line) {
    const size_t begin = line < even_lines ? even_rows : 0;
    for (size_t row = begin; row < count; ++row) out[line * count + row] = from[row * step + line];
  }
}

}  // namespace

void invert_bits(std::span<uint8_t> codes, uint8_t bits) {
  const uint64_t mask = uint64_t{bits} * 0x0101010101010101U;
  size_t i = 0;
  for (; i + 8 <= codes.size(); i += 8) store_le(&codes[i], load_le<uint64_t>(&codes[i]) ^ mask);
  for (; i < codes.size(); ++i) codes[i] ^= bits;
}

bool fill_words(uint64_t count, uint32_t bits) {
  return count <= kMostCodes && count * bits % kWordBits == 0;
}

uint64_t words_of(uint64_t count, uint32_t bits) {
  return (count * bits + kWordBits - 1) / kWordBits;
}

uint64_t bytes_of_line(const PackedCodes& how) { return (how.count * how.bits + 7) / 8; }

void unpack_line(const PackedCodes& how, Bytes bytes, uint64_t line, std::span<uint8_t> out) {
  assert(out.size() == how.count && line < how.lines);
  const uint64_t first = line * how.count;
  if (how.by_columns || how.inverted != 0) return unpack_lines(how, bytes, line, out);
  switch (how.packing) {
    case Packing::Lines:
      return unpack_stream(bytes, line * words_of(how.count, how.bits), 1, how.bits, out);
    case Packing::Columns:
      return unpack_stream(bytes, line, how.lines, how.bits, out);
    case Packing::AwqColumns:
      return unpack_awq(bytes, how, line, out);
    case Packing::HighFirst:
    case Packing::LowFirst:
      for (size_t i = 0; i < out.size(); ++i) {
        const bool second = (first + i) % 2 != 0;
        out[i] = half_of(bytes[static_cast<size_t>((first + i) / 2)],
                         second != (how.packing == Packing::HighFirst));
      }
      return;
    case Packing::ByteLines:
      return unpack_byte_stream(bytes.subspan(static_cast<size_t>(line * bytes_of_line(how))),
                                how.bits, out);
    case Packing::Bytes:
    case Packing::SignedBytes:
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), out.size(), out.begin());
      if (how.packing == Packing::Bytes) return;
      return invert_bits(out, 0x80);
  }
}

void unpack_lines(const PackedCodes& how, Bytes bytes, uint64_t first, std::span<uint8_t> out) {
  if (how.by_columns) {
    if (how.packing == Packing::Bytes) {
      unpack_byte_columns(how, bytes, first, out);
    } else {
      unpack_columns(how, first, out,
                     [&](size_t at) { return half_of(bytes[at / 2], at % 2 != 0); });
    }
  } else {
    PackedCodes as_stored = how;
    as_stored.inverted = 0;
    const auto count = static_cast<size_t>(how.count);
    for (size_t i = 0; i < out.size() / count; ++i) {
      unpack_line(as_stored, bytes, first + i, out.subspan(i * count, count));
    }
  }
  if (how.inverted == 0) return;
  invert_bits(out, how.inverted);
}

}  // namespace ambry::convert
