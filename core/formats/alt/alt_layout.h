// Constants of both versions of ALT. README.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype_table.h"

namespace ambry::formats::alt {

enum class Version : uint8_t { V1, V2 };

// The magic, as bytes in the file and as integers.
inline constexpr std::string_view kMagicV1 = "ctla";
inline constexpr std::string_view kMagicSwapped = "altc";  // v1 in the other byte order
inline constexpr std::string_view kMagicV2{"\0tla", 4};
inline constexpr uint64_t kMagicBytes = 4;
inline constexpr uint64_t kStartV2 = 0x616C7400;

inline constexpr uint64_t kAlignment = 32;
inline constexpr uint64_t kMaxAlignment = 4096;
inline constexpr uint64_t kSectionHeaderBytes = 16;  // marker and size
inline constexpr int64_t kStartSizeV2 = 8;
inline constexpr int32_t kVersionV2 = 2;

enum class Section : uint8_t { Start, General, Parameters, Tokenizer, Tensors, End };

struct SectionFacts {
  const char* name;
  const char* marker_path;
  const char* size_path;
  uint32_t marker;  // zero-extended to 64 bits; END is one of 4 bytes in v1
};

// In the order of Section, which is the order of a strict file.
inline constexpr std::array<SectionFacts, 6> kSections = {
    {{"start", "start.marker", "start.size", kStartV2},
     {"general", "general.marker", "general.size", 0xCAFEBABE},
     {"parameters", "parameters.marker", "parameters.size", 0xDEADBEEF},
     {"tokenizer", "tokenizer.marker", "tokenizer.size", 0xBADDCAFE},
     {"tensors", "tensors.marker", "tensors.size", 0xFACEFEED},
     {"end", "end.marker", "end.size", 0x0FFFFFFF}}};

[[nodiscard]] constexpr const SectionFacts& facts(Section section) {
  return kSections[static_cast<size_t>(section)];
}

inline constexpr int32_t kMaxTextBytes = 1 << 20;  // of model_type and general texts
inline constexpr uint64_t kTokenizerCountsBytes = 20;
inline constexpr uint64_t kTokenBytesV1 = 4;    // without the piece
inline constexpr uint64_t kTokenBytesOld = 12;  // v2 before 2024-12-28
inline constexpr uint64_t kTokenBytesV2 = 16;
inline constexpr uint64_t kTensorCountsBytes = 16;
inline constexpr uint64_t kTensorHeaderBytes = 12;  // without shape and name
inline constexpr int32_t kMaxTensorName = 1 << 16;

// The names of types by their codes. Files use 0 and 1. 2 is read as our extension
// (README.md#qint8). The others are rejected by name.
inline constexpr std::array<std::string_view, 13> kDataTypes = {
    "float32", "float16", "qint8", "qint4", "int32", "int16", "int8",
    "uint32",  "uint16",  "uint8", "bool",  "char",  "wchar"};
inline constexpr uint64_t kQint8Block = 32;  // along the last axis

// A type's code is its place in the list.
inline constexpr auto kDTypes = tensor::dtypes_by_number<&tensor::DTypeRow::alt>();

[[nodiscard]] constexpr std::optional<tensor::DType> dtype_of(int32_t code) {
  if (code < 0 || static_cast<size_t>(code) >= kDTypes.size()) return std::nullopt;
  return kDTypes[static_cast<size_t>(code)];
}

[[nodiscard]] constexpr std::optional<int32_t> code_of(tensor::DType dtype) {
  return tensor::number_in(kDTypes, dtype);
}

// U+2581, which stands for a space in SentencePiece's pieces.
inline constexpr std::string_view kSpace = "\xE2\x96\x81";

// The texts of v2's general section, in file order.
inline constexpr std::array<const char*, 7> kGeneralFields = {
    "model_type", "base_model", "author", "created_at", "last_modified", "license", "uuid"};

}  // namespace ambry::formats::alt
