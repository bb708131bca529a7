#include "formats/tinyruntime/find_variant.h"

#include <algorithm>

#include "base/checked.h"
#include "formats/tinyruntime/tinyruntime_tables.h"

namespace ambry::formats::tinyruntime {
namespace {

using model::CnnFault;

// The header and the first entry of the largest variant.
constexpr uint64_t kHeadBytes = 28 + 44;
// How much of a table is read if its count cannot be right.
constexpr uint64_t kOpenTableBytes = 4'096;
constexpr int32_t kMostClasses = 1 << 20;
constexpr uint64_t kMostWeights = 1ULL << 40;
// A conv counts 2, because seven of its fields must fit together; a linear layer counts 1.
constexpr uint64_t kLeastEvidence = 3;

enum class Verdict : uint8_t { No, Plausible, Exact };

bool count_is_sane(int32_t count) { return count >= 0 && count <= kMostEntries; }

// Whether the number of parameters is known despite the fault.
bool leaves_size(CnnVariant variant, CnnKind kind, const CnnFault& fault) {
  const auto& field = model::cnn_fields(variant, kind)[fault.field];
  return field.real != nullptr || field.integer == &model::CnnLayer::stride ||
         field.integer == &model::CnnLayer::padding ||
         field.integer == &model::CnnLayer::weight_zero_point ||
         field.integer == &model::CnnLayer::out_zero_point;
}

// Reads a file as one variant and measures how well that fits.
class Look {
 public:
  Look(const io::Source& source, CnnVariant variant) : source_(source), variant_(variant) {
    table_.variant = variant;
  }

  Result<Verdict> judge() {
    const uint64_t size = source_.size();
    if (size < header_bytes(variant_)) return Verdict::No;
    AMBRY_TRY(const Bytes head, source_.view(0, std::min(size, kHeadBytes), "header"));
    header_ = read_header(variant_, head);
    if (!header_is_plausible() || !first_entry_is_plausible(head)) return Verdict::No;
    if (!source_.size_known()) return io::Source::need_size();
    const uint64_t end = counts_are_sane() ? place_tables(variant_, header_).end : kOpenTableBytes;
    AMBRY_TRY(bytes_, source_.view(0, std::min(size, end), "tables"));
    read_tables();
    if (is_exact()) return Verdict::Exact;
    return is_plausible() ? Verdict::Plausible : Verdict::No;
  }

 private:
  [[nodiscard]] bool counts_are_sane() const {
    return std::all_of(header_.begin() + kConvs, header_.begin() + kQuantizedBytes, count_is_sane);
  }

  // Accepts one damaged word.
  bool header_is_plausible() {
    const bool quantized = is_quantized(variant_);
    for (const HeaderField field : {kConvs, kLinears, kBatchNorms, kActivations}) {
      if (!count_is_sane(header_[field])) ++header_faults_;
    }
    const int32_t asymmetric = header_[kAsymmetric];
    const int32_t least = variant_ == CnnVariant::Sq8 ? 1 : 0;
    if (quantized && (asymmetric < least || asymmetric > 1)) ++header_faults_;
    if (header_[kQuantizedBytes] < 0) ++header_faults_;
    if (variant_ == CnnVariant::Dq8 && header_[kActivations] != 0) ++header_faults_;
    table_.asymmetric = asymmetric != 0;
    return header_faults_ + (header_[kClasses] < 1 ? 1 : 0) <= 1;
  }

  // Avoids requesting more bytes of foreign files.
  [[nodiscard]] bool first_entry_is_plausible(Bytes head) const {
    for (const CnnKind kind : model::kCnnKinds) {
      if (header_[count_field(kind)] == 0) continue;
      const Bytes rest = head.subspan(static_cast<size_t>(header_bytes(variant_)));
      if (rest.size() < entry_bytes(variant_, kind)) return false;
      const Entry entry = read_entry(variant_, kind, rest);
      return model::check_layer(variant_, kind, entry.layer, kMostWeights).size() <= 1;
    }
    return true;
  }

  void read_tables() {
    uint64_t at = header_bytes(variant_);
    for (const CnnKind kind : model::kCnnKinds) {
      const uint64_t stride = entry_bytes(variant_, kind);
      const int32_t count = header_[count_field(kind)];
      const bool sane = count_is_sane(count);
      // A wrong count does not show where its table ends, but the first entries exist.
      for (int32_t i = 0; !sane || i < count; ++i, at += stride) {
        if (at + stride > bytes_.size()) return;
        const bool good = read_layer(kind, at);
        if (sane && !good) ++n_bad_;
        if (!sane && !good) return;
      }
    }
    whole_ = counts_are_sane() && place_tables(variant_, header_).end <= source_.size();
  }

  bool read_layer(CnnKind kind, uint64_t at) {
    const Entry entry = read_entry(variant_, kind, bytes_.subspan(static_cast<size_t>(at)));
    const auto faults = model::check_layer(variant_, kind, entry.layer, kMostWeights);
    for (const CnnFault& fault : faults) sized_ = sized_ && leaves_size(variant_, kind, fault);
    if (sized_) add_size(kind, entry.layer);
    const bool rises = offsets_rise(kind, entry);
    if (!faults.empty() || !rises) return false;
    ++n_good_;
    evidence_ += kind == CnnKind::Conv ? 2 : kind == CnnKind::Linear ? 1 : 0;
    return true;
  }

  void add_size(CnnKind kind, const model::CnnLayer& layer) {
    auto& layers = table_.of(kind);
    layers.assign(1, layer);
    const auto end = after(position_, model::cnn_tensors(table_, kind, 0));
    sized_ = end.has_value();
    if (end) position_ = *end;
  }

  // Real files store layer after layer, from 0 on.
  bool offsets_rise(CnnKind kind, const Entry& entry) {
    bool rise = true;
    for (size_t i = 0; i < n_offsets(variant_, kind); ++i) {
      std::optional<int32_t>& last = last_[counts_quantized(variant_, kind, i) ? 0 : 1];
      const int32_t offset = entry.offsets[i];
      rise = rise && (last ? offset > *last : offset == 0);
      last = offset;
    }
    return rise;
  }

  [[nodiscard]] bool is_exact() const {
    if (!whole_ || !sized_ || header_faults_ > 0) return false;
    const bool any = header_[kConvs] > 0 || header_[kLinears] > 0 || header_[kBatchNorms] > 0;
    if (!any && header_[kClasses] < 1) return false;
    const bool same_section =
        !is_quantized(variant_) ||
        position_.quantized_bytes == static_cast<uint64_t>(header_[kQuantizedBytes]);
    return same_section && need() == bytes_after_tables();
  }

  // Accepts valid layers one after another, unless the file is mostly something else.
  [[nodiscard]] bool is_plausible() const {
    if (header_[kClasses] < 1 || header_[kClasses] > kMostClasses) return false;
    if (whole_ && sized_ && bytes_after_tables() / 2 > need()) return false;
    return evidence_ >= kLeastEvidence && n_bad_ <= 1 + n_good_ / 4;
  }

  [[nodiscard]] uint64_t bytes_after_tables() const {
    return source_.size() - place_tables(variant_, header_).end;
  }
  // The bytes of tables with at most 2^14 layers of at most 2^40 weights.
  [[nodiscard]] uint64_t need() const {
    return position_.quantized_bytes + position_.words * kWordBytes;
  }

  const io::Source& source_;
  CnnVariant variant_;
  Header header_{};
  Bytes bytes_;  // of the file, up to the end of the tables
  model::CnnTable table_;
  int header_faults_ = 0;
  bool whole_ = false;  // whether the tables are inside the file
  bool sized_ = true;   // whether the sizes of all layers' parameters are known
  Position position_;   // the size of all parameters, if so
  std::array<std::optional<int32_t>, 2> last_;
  uint64_t n_good_ = 0;
  uint64_t n_bad_ = 0;
  uint64_t evidence_ = 0;
};

}  // namespace

Result<std::optional<CnnVariant>> find_variant(const io::Source& source) {
  CnnVariant plausible = CnnVariant::Vanilla;
  size_t n_plausible = 0;
  for (const CnnVariant variant : kVariants) {
    AMBRY_TRY(const Verdict verdict, Look(source, variant).judge());
    if (verdict == Verdict::Exact) return std::optional(variant);
    if (verdict == Verdict::No) continue;
    plausible = variant;
    ++n_plausible;
  }
  return n_plausible == 1 ? std::optional(plausible) : std::nullopt;
}

}  // namespace ambry::formats::tinyruntime
