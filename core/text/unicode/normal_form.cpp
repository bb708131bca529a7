#include "text/unicode/normal_form.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/lazy.h"
#include "base/order.h"
#include "base/utf8.h"
#include "text/unicode/compositions.h"
#include "text/unicode/decompositions.h"
#include "text/unicode/tables/compatibility_tables.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

bool is_composing(NormalForm form) { return form == NormalForm::Nfc || form == NormalForm::Nfkc; }
bool is_compatibility(NormalForm form) {
  return form == NormalForm::Nfkc || form == NormalForm::Nfkd;
}

// What NFKD has beyond the canonical decompositions.
const Decompositions& compatibility_decompositions() {
  using namespace compatibility_data;  // NOLINT(google-build-using-namespace): for its constants
  static constinit Lazy<Decompositions> table;
  return table.get([] {
    return std::make_unique<Decompositions>(DecompositionStreams{
        .gaps = kGaps, .sizes = kSizes, .firsts = kFirsts, .rests = kRests, .n_units = kUnits});
  });
}

struct Part {
  char32_t code_point = 0;
  uint8_t rank = 0;  // of its combining class; 0: a starter
  ByteRange origin;
};

// Decomposes fully in canonical order. NFC and NFKC then compose again, one starter after another.
class Normalizer {
 public:
  explicit Normalizer(NormalForm form)
      : unicode_(Unicode::instance()),
        compositions_(is_composing(form) ? &Compositions::instance() : nullptr),
        compatibility_(is_compatibility(form) ? &compatibility_decompositions() : nullptr) {}

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
    if (compatibility_ != nullptr) parts = compatibility_->find(c);
    if (parts.empty() && (unicode_.flags(c) & Unicode::kMapped) != 0)
      parts = unicode_.decompose(c, buffer);
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
    if (compositions_ == nullptr) return false;
    const auto composite = compositions_->find(starter_->code_point, part.code_point);
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

  const Unicode& unicode_;
  const Compositions* compositions_;     // null: they stay apart
  const Decompositions* compatibility_;  // null: only canonical ones
  AlignedText out_;
  std::optional<Part> starter_;
  std::vector<Part> marks_;  // after the starter, not yet in order
  std::vector<Part> left_;   // the marks that do not combine
};

}  // namespace

bool is_normal(std::string_view text, NormalForm form) {
  // The first bytes of U+0300, U+00C0 and U+0080. NFC changes nothing below U+0300, NFD below
  // U+00C0; the compatibility forms change U+00A0.
  const uint8_t limit = is_compatibility(form) ? 0xC2 : is_composing(form) ? 0xCC : 0xC3;
  return std::none_of(text.begin(), text.end(),
                      [&](char byte) { return static_cast<uint8_t>(byte) >= limit; });
}

AlignedText normalize(std::string_view text, NormalForm form) { return Normalizer(form).run(text); }

}  // namespace ambry::text
