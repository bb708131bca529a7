#include "text/unicode/unicode.h"

#include <algorithm>
#include <memory>

#include "base/bytes.h"
#include "base/lazy.h"
#include "text/unicode/hangul.h"
#include "text/unicode/tables/table_reader.h"

namespace ambry::text {
namespace {

namespace data = unicode_data;

constexpr char32_t kCodePointLimit = 0x110000;

// Compares eight bytes at a time, because all of Unicode passes here before the first token.
bool same(const uint8_t* a, std::span<const uint8_t> b) {
  for (size_t i = 0; i < b.size(); i += sizeof(uint64_t)) {
    if (load_le<uint64_t>(a + i) != load_le<uint64_t>(&b[i])) return false;
  }
  return true;
}

}  // namespace

const Unicode& Unicode::instance() {
  static constinit Lazy<Unicode> tables;
  return tables.get([] { return std::unique_ptr<Unicode>(new Unicode()); });
}

Unicode::Unicode()
    : decompositions_({.gaps = data::kDecompositionGaps,
                       .sizes = data::kDecompositionSizes,
                       .firsts = data::kDecompositionFirsts,
                       .rests = data::kDecompositionRests,
                       .n_units = data::kDecompositionUnits}) {
  for (size_t i = 0; i < sizeof(data::kCharClasses) / 2; ++i) {
    flags_[i] = data::kCharClasses[2 * i];
    flags_[i | kMapped] = flags_[i] | kMapped;
    ranks_[i] = ranks_[i | kMapped] = data::kCharClasses[2 * i + 1];
  }
  expand_lowercase();
  expand_classes();
}

void Unicode::expand_lowercase() {
  lowercase_.reserve(data::kLowercaseRangeCount);
  const uint8_t* gaps = data::kLowercaseGaps;
  const uint8_t* counts = data::kLowercaseCounts;
  const uint8_t* deltas = data::kLowercaseDeltas;
  char32_t last = 0;
  for (uint32_t i = 0; i < data::kLowercaseRangeCount; ++i) {
    LowercaseRange range;
    range.first = last + read_varint(gaps);
    const uint32_t count = read_varint(counts);
    range.count = count >> 1;
    range.stride = 1 + (count & 1);
    range.delta = read_zigzag(deltas);
    last = range.last();
    lowercase_.push_back(range);
  }
}

// Fills page after page from the runs, marks the mapped code points (which come in order) and
// stores each distinct page once.
void Unicode::expand_classes() {
  page_of_.reserve(kCodePointLimit >> kPageBits);
  const uint8_t* lengths = data::kRunLengths;
  const uint8_t* runs = data::kRunClasses;
  uint32_t left = read_varint(lengths);
  auto decomposition = decompositions_.entries().begin();
  auto range = lowercase_.begin();
  uint32_t in_range = 0;
  for (char32_t begin = 0; begin < kCodePointLimit; begin += kPageSize) {
    Page page;
    for (uint32_t at = 0; at < kPageSize;) {
      if (left == 0) {
        ++runs;
        left = read_varint(lengths);
      }
      const uint32_t n = std::min<uint32_t>(left, kPageSize - at);
      std::fill_n(page.begin() + at, n, *runs);
      at += n;
      left -= n;
    }
    const char32_t end = begin + kPageSize;
    for (char32_t c = std::max(begin, hangul::kSyllables); c < end && hangul::is_syllable(c); ++c) {
      page[c - begin] |= kMapped;
    }
    for (; decomposition != decompositions_.entries().end() && decomposition->code_point < end;
         ++decomposition) {
      page[decomposition->code_point - begin] |= kMapped;
    }
    while (range != lowercase_.end() && range->first + in_range * range->stride < end) {
      page[range->first + in_range * range->stride - begin] |= kMapped;
      if (++in_range < range->count) continue;
      in_range = 0;
      ++range;
    }
    if (begin == (kDottedCapitalI & ~(kPageSize - 1))) page[kDottedCapitalI - begin] |= kMapped;
    add_page(page);
  }
}

void Unicode::add_page(const Page& page) {
  const size_t n_pages = classes_.size() / kPageSize;
  // Searches backwards, because most pages equal the one before.
  for (size_t i = n_pages; i-- > 0;) {
    if (same(&classes_[i * kPageSize], page)) {
      page_of_.push_back(static_cast<uint8_t>(i));
      return;
    }
  }
  assert(n_pages < 256);
  page_of_.push_back(static_cast<uint8_t>(n_pages));
  classes_.insert(classes_.end(), page.begin(), page.end());
}

std::span<const char32_t> Unicode::decompose(char32_t c, Buffer& buffer) const {
  if (hangul::is_syllable(c)) {
    const char32_t index = c - hangul::kSyllables;
    const char32_t trail = index % hangul::kTrailCount;
    buffer[0] = hangul::kLeads + index / (hangul::kVowelCount * hangul::kTrailCount);
    buffer[1] = hangul::kVowels + index / hangul::kTrailCount % hangul::kVowelCount;
    buffer[2] = hangul::kTrails + trail;
    return {buffer.data(), trail == 0 ? 2U : 3U};
  }
  return decompositions_.find(c);
}

std::span<const char32_t> Unicode::to_lowercase(char32_t c, Buffer& buffer) const {
  if (c == kDottedCapitalI) {
    buffer = {U'i', 0x307};
    return {buffer.data(), 2};
  }
  buffer[0] = c;
  const auto after = std::upper_bound(
      lowercase_.begin(), lowercase_.end(), c,
      [](char32_t value, const LowercaseRange& range) { return value < range.first; });
  if (after != lowercase_.begin()) {
    const LowercaseRange& range = *(after - 1);
    if (c <= range.last() && (c - range.first) % range.stride == 0) {
      buffer[0] = c + static_cast<char32_t>(range.delta);
    }
  }
  return {buffer.data(), 1};
}

}  // namespace ambry::text
