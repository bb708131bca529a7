// Constants of AMB. README.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype.h"

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
enum class TokenizerType : uint8_t { Bpe, SentencePiece, WordPiece, Custom };

// The index in this list is the code in the file.
inline constexpr std::array<tensor::DType, 9> kDTypes = {
    tensor::DType::F32,       tensor::DType::F16,       tensor::DType::BF16,
    tensor::DType::Int8,      tensor::DType::Int4,      tensor::DType::Int5,
    tensor::DType::Int4Block, tensor::DType::Int5Block, tensor::DType::Adaptive};
[[nodiscard]] constexpr std::optional<uint8_t> dtype_code(tensor::DType dtype) {
  for (size_t code = 0; code < kDTypes.size(); ++code) {
    if (kDTypes[code] == dtype) return static_cast<uint8_t>(code);
  }
  return std::nullopt;
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
