#include "text/unicode/compositions.h"

#include <algorithm>
#include <memory>
#include <span>

#include "base/lazy.h"
#include "base/order.h"
#include "text/unicode/hangul.h"
#include "text/unicode/tables/letter_tables.h"
#include "text/unicode/tables/table_reader.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

std::optional<char32_t> syllable(char32_t first, char32_t second) {
  using namespace hangul;  // NOLINT(google-build-using-namespace): for its constants
  if (first - kLeads < kLeadCount && second - kVowels < kVowelCount) {
    return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTrailCount;
  }
  const char32_t index = first - kSyllables;
  const char32_t trail = second - kTrails;
  if (is_syllable(first) && index % kTrailCount == 0 && trail > 0 && trail < kTrailCount) {
    return first + trail;
  }
  return std::nullopt;
}

std::vector<char32_t> read_exclusions() {
  std::vector<char32_t> exclusions;
  exclusions.reserve(letter_data::kExclusionCount);
  const uint8_t* gaps = letter_data::kExclusionGaps;
  char32_t c = 0;
  for (uint32_t i = 0; i < letter_data::kExclusionCount; ++i) {
    exclusions.push_back(c += read_varint(gaps));
  }
  return exclusions;
}

}  // namespace

const Compositions& Compositions::instance() {
  static constinit Lazy<Compositions> tables;
  return tables.get([] { return std::unique_ptr<Compositions>(new Compositions()); });
}

// A composite is stored as a pair: its decomposition without the last part, and that part. So
// composites of fewer parts come first.
Compositions::Compositions() {
  const std::vector<char32_t> exclusions = read_exclusions();
  for (size_t n_parts = 2; n_parts <= 4; ++n_parts) {
    add_composites(n_parts, exclusions);
    sort_pairs();
  }
}

void Compositions::add_composites(size_t n_parts, const std::vector<char32_t>& exclusions) {
  constexpr char32_t kDecompositionLimit = 0x30000;
  const Unicode& unicode = Unicode::instance();
  std::vector<Pair> found;
  for (char32_t c = 0; c < kDecompositionLimit; ++c) {
    if ((unicode.flags(c) & Unicode::kMapped) == 0) continue;
    Unicode::Buffer buffer;
    const std::span<const char32_t> parts = unicode.decompose(c, buffer);
    if (parts.size() != n_parts || hangul::is_syllable(c)) continue;
    if (std::binary_search(exclusions.begin(), exclusions.end(), c)) continue;
    std::optional<char32_t> first = parts[0];
    for (size_t i = 1; first && i + 1 < n_parts; ++i) first = find(*first, parts[i]);
    if (first) found.push_back({*first, parts.back(), c});
  }
  pairs_.insert(pairs_.end(), found.begin(), found.end());
}

void Compositions::sort_pairs() {
  sort_items(pairs_, [](const Pair& a, const Pair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

std::optional<char32_t> Compositions::find(char32_t first, char32_t second) const {
  if (const auto found = syllable(first, second)) return found;
  const auto at = std::lower_bound(
      pairs_.begin(), pairs_.end(), Pair{first, second, 0}, [](const Pair& a, const Pair& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
      });
  if (at == pairs_.end() || at->first != first || at->second != second) return std::nullopt;
  return at->composite;
}

}  // namespace ambry::text
