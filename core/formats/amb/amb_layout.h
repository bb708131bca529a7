// Constants of AMB. README.md explains them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype_table.h"

namespace ambry::formats::amb {

inline constexpr std::string_view kMagic = "AMBEE";
inline constexpr uint8_t kVersion = 1;
inline constexpr uint16_t kFlagChecksums = 1;

inline constexpr uint64_t kHeaderBytes = 28;
inline constexpr uint64_t kVersionAt = 5;
inline constexpr uint64_t kFlagsAt = 6;
inline constexpr uint64_t kMetadataSizeAt = 8;
inline constexpr uint64_t kConfigSizeAt = 12;
inline constexpr uint64_t kTokenizerSizeAt = 16;
inline constexpr uint64_t kWeightsSizeAt = 20;

// With this value, both ways to count the padding agree (README.md#weights-alignment).
inline constexpr size_t kWeightsAlignment = 64;
inline constexpr uint64_t kTensorAlignment = 8;
inline constexpr size_t kMaxRank = 8;
inline constexpr size_t kMaxName = 65'535;

// The type, then bos, eos, pad, unk, mask.
inline constexpr uint64_t kTokenizerHeaderBytes = 11;
inline constexpr uint16_t kNoToken = 0xFFFF;
inline constexpr uint64_t kTokenBytes = 6;  // id and length before the token
inline constexpr uint64_t kMergeBytes = 4;  // the two lengths
// The numbers are the file's.
enum class TokenizerType : uint8_t { Bpe = 0, SentencePiece = 1, WordPiece = 2, Custom = 3 };

// The index in this list is the code in the file.
inline constexpr auto kDTypes = tensor::dtypes_by_number<&tensor::DTypeRow::amb>();
[[nodiscard]] constexpr std::optional<uint8_t> dtype_code(tensor::DType dtype) {
  return tensor::number_in(kDTypes, dtype);
}

// Where the sections of a file begin. Each ends where the next one begins.
struct Sections {
  uint64_t metadata = kHeaderBytes;
  uint64_t config = 0;
  uint64_t tokenizer = 0;
  uint64_t weights = 0;
  uint64_t end = 0;
};

}  // namespace ambry::formats::amb
