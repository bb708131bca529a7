// Constants of the two layouts of EMBD. README.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tensor/dtype/dtype_table.h"

namespace ambry::formats::embd {

inline constexpr std::string_view kMagic = "EMBD";
inline constexpr std::string_view kEndMagic = "DBME";

// Layout F0, the published one.
inline constexpr uint64_t kHeaderBytes = 64;
inline constexpr uint64_t kFooterBytes = 16;
inline constexpr uint64_t kMinFileBytes = kHeaderBytes + kFooterBytes;
inline constexpr uint64_t kDescriptorBytes = 32;
inline constexpr uint64_t kMetadataHeaderBytes = 8;
inline constexpr uint64_t kMetadataEntryBytes = 4;  // without key and value
inline constexpr uint64_t kVocabularyHeaderBytes = 12;
inline constexpr uint64_t kSpecialTokenBytes = 20;
inline constexpr uint64_t kTokenEntryBytes = 2;  // without the token
inline constexpr uint64_t kDataAlignment = 64;
inline constexpr size_t kMaxRank = 4;
inline constexpr std::array<const char*, kMaxRank> kShapeFields = {"shape[0]", "shape[1]",
                                                                   "shape[2]", "shape[3]"};
inline constexpr uint16_t kVersionMajor = 1;
inline constexpr uint16_t kVersionMinor = 0;

// Offsets in the header.
inline constexpr uint64_t kVersionAt = 4;
inline constexpr uint64_t kFlagsAt = 8;
inline constexpr uint64_t kMetadataOffsetAt = 12;
inline constexpr uint64_t kVocabularyOffsetAt = 20;
inline constexpr uint64_t kIndexOffsetAt = 28;
inline constexpr uint64_t kIndexCountAt = 32;
inline constexpr uint64_t kDataOffsetAt = 36;
inline constexpr uint64_t kDataSizeAt = 40;
inline constexpr uint64_t kTotalSizeAt = 48;
inline constexpr uint64_t kHeaderChecksumAt = 56;
inline constexpr uint64_t kReservedAt = 60;

inline constexpr uint32_t kFlagVocabEmbedded = 1U << 0;
inline constexpr uint32_t kFlagTensorsAligned = 1U << 1;
inline constexpr uint32_t kFlagChecksums = 1U << 2;
inline constexpr uint32_t kFlagCompressed = 1U << 3;
inline constexpr uint32_t kKnownFlags =
    kFlagVocabEmbedded | kFlagTensorsAligned | kFlagChecksums | kFlagCompressed;

// A special token that the vocabulary does not have. This is Ambry's own value
// (README.md#no-token).
inline constexpr uint32_t kNoToken = UINT32_MAX;

// Layout F1: a plain sequence.
inline constexpr uint64_t kF1HeaderBytes = 12;
inline constexpr uint32_t kF1Version = 1;
inline constexpr uint32_t kF1MaxString = 1U << 20;
inline constexpr uint32_t kF1MaxTokens = 100'000;
inline constexpr uint32_t kF1MaxFirstName = 65'535;  // the longest name that detection accepts

// Layout F2, which nobody implemented: a 16-byte header and entries of 100 bytes.
inline constexpr uint64_t kF2HeaderBytes = 16;
inline constexpr uint64_t kF2EntryBytes = 100;

// The index in this list is the code in the file.
inline constexpr auto kDTypes = tensor::dtypes_by_number<&tensor::DTypeRow::embd>();

// The code of a type. Returns nothing for types that EMBD cannot store.
[[nodiscard]] constexpr std::optional<uint8_t> dtype_code(tensor::DType dtype) {
  return tensor::number_in(kDTypes, dtype);
}

// FNV-1a over the bytes of a tensor's name.
[[nodiscard]] constexpr uint32_t name_hash(std::string_view name) {
  uint32_t hash = 0x811C9DC5U;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x01000193U;
  return hash;
}

inline constexpr auto kRequiredMetadata = std::to_array<std::string_view>(
    {"model_name", "model_version", "embedding_dim", "vocab_size", "num_layers",
     "num_attention_heads", "hidden_size", "intermediate_size", "max_position_emb", "created_at"});

// The metadata that a model without layers must have.
inline constexpr auto kRequiredStaticMetadata = std::to_array<std::string_view>(
    {"model_name", "model_version", "embedding_dim", "vocab_size", "created_at"});

}  // namespace ambry::formats::embd
