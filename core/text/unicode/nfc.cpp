#include "text/unicode/nfc.h"

#include <algorithm>
#include <memory>
#include <span>

#include "base/lazy.h"
#include "base/order.h"
#include "base/utf8.h"
#include "text/unicode/hangul.h"
#include "text/unicode/letter_tables.h"
#include "text/unicode/table_reader.h"
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

struct Part {
  char32_t code_point = 0;
  uint8_t rank = 0;  // of its combining class; 0: a starter
  ByteRange origin;
};

// Decomposes fully in canonical order, then composes again, one starter after another.
class Composer {
 public:
  explicit Composer(const Nfc& nfc) : nfc_(nfc), unicode_(Unicode::instance()) {}

  AlignedText run(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
      const DecodedCodePoint c = decode_utf8(text, i);
      add(c.code_point, {static_cast<uint32_t>(i), static_cast<uint32_t>(i + c.n_bytes)});
      i += c.n_bytes;
    }
    end_marks();
    flush();
    return std::move(out_);
  }

 private:
  void add(char32_t c, ByteRange origin) {
    Unicode::Buffer buffer;
    std::span<const char32_t> parts;
    if ((unicode_.flags(c) & Unicode::kMapped) != 0) parts = unicode_.decompose(c, buffer);
    if (parts.empty()) parts = {&c, 1};
    for (const char32_t part : parts) {
      const uint8_t rank = unicode_.combining_rank(part);
      if (rank != 0) {
        marks_.push_back({part, rank, origin});
      } else {
        add_starter({part, 0, origin});
      }
    }
  }

  // A starter next to the previous one may combine with it. Marks left between them prevent that.
  void add_starter(const Part& part) {
    end_marks();
    if (starter_ && left_.empty() && join(part)) return;
    flush();
    starter_ = part;
  }

  bool join(const Part& part) {
    const auto composite = nfc_.pair(starter_->code_point, part.code_point);
    if (!composite) return false;
    starter_->code_point = *composite;
    starter_->origin.begin = std::min(starter_->origin.begin, part.origin.begin);
    starter_->origin.end = std::max(starter_->origin.end, part.origin.end);
    return true;
  }

  // Each mark combines with the starter unless a mark of the same or a higher class stands between
  // them.
  void end_marks() {
    if (marks_.empty()) return;
    sort_items(marks_, [](const Part& a, const Part& b) { return a.rank < b.rank; });
    uint8_t last_rank = 0;
    for (const Part& mark : marks_) {
      const bool blocked = last_rank != 0 && last_rank >= mark.rank;
      if (starter_ && !blocked && join(mark)) continue;
      last_rank = mark.rank;
      left_.push_back(mark);
    }
    marks_.clear();
  }

  void flush() {
    if (starter_) out_.append(starter_->code_point, starter_->origin);
    starter_.reset();
    for (const Part& mark : left_) out_.append(mark.code_point, mark.origin);
    left_.clear();
  }

  const Nfc& nfc_;
  const Unicode& unicode_;
  AlignedText out_;
  std::optional<Part> starter_;
  std::vector<Part> marks_;  // after the starter, not yet in order
  std::vector<Part> left_;   // the marks that do not combine
};

}  // namespace

const Nfc& Nfc::instance() {
  static constinit Lazy<Nfc> tables;
  return tables.get([] { return std::unique_ptr<Nfc>(new Nfc()); });
}

// A composite is stored as a pair: its decomposition without the last part, and that part. So
// composites of fewer parts come first.
Nfc::Nfc() {
  const std::vector<char32_t> exclusions = read_exclusions();
  for (size_t n_parts = 2; n_parts <= 4; ++n_parts) {
    add_composites(n_parts, exclusions);
    sort_pairs();
  }
}

void Nfc::add_composites(size_t n_parts, const std::vector<char32_t>& exclusions) {
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
    for (size_t i = 1; first && i + 1 < n_parts; ++i) first = pair(*first, parts[i]);
    if (first) found.push_back({*first, parts.back(), c});
  }
  pairs_.insert(pairs_.end(), found.begin(), found.end());
}

void Nfc::sort_pairs() {
  sort_items(pairs_, [](const Pair& a, const Pair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

std::optional<char32_t> Nfc::pair(char32_t first, char32_t second) const {
  if (const auto found = syllable(first, second)) return found;
  const auto at = std::lower_bound(
      pairs_.begin(), pairs_.end(), Pair{first, second, 0}, [](const Pair& a, const Pair& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
      });
  if (at == pairs_.end() || at->first != first || at->second != second) return std::nullopt;
  return at->composite;
}

bool Nfc::is_composed(std::string_view text) {
  // U+0300 is CC 80.
  return std::none_of(text.begin(), text.end(),
                      [](char byte) { return static_cast<uint8_t>(byte) >= 0xCC; });
}

AlignedText Nfc::compose(std::string_view text) const { return Composer(*this).run(text); }

}  // namespace ambry::text
