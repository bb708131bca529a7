// Headers, table entries and sections of the three variants. README.md explains them. All fields
// have four bytes, so positions are counted in words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "model/cnn/cnn_table.h"

namespace ambry::formats::tinyruntime {

using model::CnnKind;
using model::CnnVariant;

inline constexpr uint64_t kWordBytes = 4;
inline constexpr std::array kVariants = {CnnVariant::Vanilla, CnnVariant::Dq8, CnnVariant::Sq8};

// The words of the header. Vanilla has only the first four.
enum HeaderField : uint8_t {
  kClasses,
  kConvs,
  kLinears,
  kBatchNorms,
  kActivations,
  kQuantizedBytes,
  kAsymmetric,
};
using Header = std::array<int32_t, 7>;
inline constexpr std::array<const char*, 7> kHeaderFields = {
    "header.nclasses", "header.nconv",    "header.nlinear", "header.nbn",
    "header.nact",     "header.nqparams", "header.asym"};

// The most layers in a table and activations. Real files have 53 and 81.
inline constexpr int32_t kMostEntries = 16'384;
inline constexpr uint64_t kActivationBytes = 2 * kWordBytes;

[[nodiscard]] constexpr bool is_quantized(CnnVariant variant) {
  return variant != CnnVariant::Vanilla;
}
[[nodiscard]] constexpr uint64_t header_words(CnnVariant variant) {
  return is_quantized(variant) ? 7 : 4;
}
[[nodiscard]] constexpr uint64_t header_bytes(CnnVariant variant) {
  return header_words(variant) * kWordBytes;
}
[[nodiscard]] constexpr HeaderField count_field(CnnKind kind) {
  return kind == CnnKind::Conv ? kConvs : kind == CnnKind::Linear ? kLinears : kBatchNorms;
}

// An entry has the layer's dimensions, the offsets of its parameters, and its other fields.
[[nodiscard]] constexpr size_t n_offsets(CnnVariant variant, CnnKind kind) {
  return kind != CnnKind::BatchNorm && variant == CnnVariant::Dq8 ? 2 : 1;
}
[[nodiscard]] inline uint64_t entry_bytes(CnnVariant variant, CnnKind kind) {
  return (model::cnn_fields(variant, kind).size() + n_offsets(variant, kind)) * kWordBytes;
}
// The distance in bytes from an entry's start to the field with this index in cnn_fields().
[[nodiscard]] inline uint64_t field_at(CnnVariant variant, CnnKind kind, size_t field) {
  const size_t skipped = field < model::n_dims(kind) ? 0 : n_offsets(variant, kind);
  return (field + skipped) * kWordBytes;
}
[[nodiscard]] inline uint64_t offset_at(CnnKind kind, size_t which) {
  return (model::n_dims(kind) + which) * kWordBytes;
}

// The parameters are in two sections: bytes of quantized layers (none in vanilla), then words of
// everything else. Offsets count from the start of each section.
struct Position {
  uint64_t quantized_bytes = 0;
  uint64_t words = 0;
};
// The section in which an offset of an entry counts.
[[nodiscard]] constexpr bool counts_quantized(CnnVariant variant, CnnKind kind, size_t which) {
  return which == 0 && is_quantized(variant) && kind != CnnKind::BatchNorm;
}
[[nodiscard]] constexpr uint64_t canonical_offset(const Position& position, CnnVariant variant,
                                                  CnnKind kind, size_t which) {
  return counts_quantized(variant, kind, which) ? position.quantized_bytes : position.words;
}

}  // namespace ambry::formats::tinyruntime
