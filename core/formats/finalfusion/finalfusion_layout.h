// Constants of the chunks of a .fifu file. README.md explains them.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/words/word_vocabulary.h"

namespace ambry::formats::finalfusion {

inline constexpr std::string_view kMagic = "FiFu";
inline constexpr uint32_t kVersion = 0;
// A file that is made to run, and that no other program reads (README.md#made-to-run): "RUN1".
inline constexpr uint32_t kToRunVersion = 0x314E5552;
inline constexpr uint64_t kVersionAt = 4;
inline constexpr uint64_t kCountAt = 8;
inline constexpr uint64_t kIdsAt = 12;

inline constexpr uint32_t kSimpleVocab = 1;
inline constexpr uint32_t kNdArray = 2;
inline constexpr uint32_t kBucketVocab = 3;
inline constexpr uint32_t kQuantizedArray = 4;
inline constexpr uint32_t kMetadata = 5;
inline constexpr uint32_t kNdNorms = 6;
inline constexpr uint32_t kFastTextVocab = 7;
inline constexpr uint32_t kExplicitVocab = 8;
inline constexpr uint32_t kFloretVocab = 9;  // the last identifier

inline constexpr uint64_t kChunkHeadBytes = 12;  // id and length
inline constexpr uint64_t kMaxPadding = 4;
inline constexpr uint64_t kNdArrayFields = 16;  // rows, columns, type
inline constexpr uint64_t kQuantizedFields = 36;
inline constexpr uint64_t kNormsFields = 12;
inline constexpr uint64_t kMaxVocabularyFields = 24;  // before the words, brackets or n-grams
inline constexpr uint64_t kWordBytes = 4;             // without the word
inline constexpr uint64_t kNgramBytes = 12;           // without the n-gram
inline constexpr uint64_t kNgramIndexBytes = 8;

inline constexpr uint32_t kTypeU8 = 1;
inline constexpr uint32_t kTypeF32 = 10;

inline constexpr uint32_t kMaxBucketExponent = 63;
inline constexpr uint32_t kMaxHashes = 4;

// The names of the tensors in the model.
inline constexpr std::string_view kStorage = "storage";
inline constexpr std::string_view kProjection = "quantized.projection";
inline constexpr std::string_view kCentroids = "quantized.centroids";
inline constexpr std::string_view kQuantizedNorms = "quantized.norms";
inline constexpr std::string_view kCodes = "quantized.codes";
inline constexpr std::string_view kNorms = "norms";

[[nodiscard]] constexpr bool is_vocabulary(uint32_t id) {
  return id == kSimpleVocab || id == kBucketVocab || id == kFastTextVocab || id == kExplicitVocab ||
         id == kFloretVocab;
}
[[nodiscard]] constexpr bool is_storage(uint32_t id) {
  return id == kNdArray || id == kQuantizedArray;
}
[[nodiscard]] constexpr bool is_known(uint32_t id) { return id >= 1 && id <= kFloretVocab; }

// Never zero: aligned data gets four zeros (README.md#padding-rule).
[[nodiscard]] constexpr uint64_t padding_after(uint64_t position) { return 4 - position % 4; }

[[nodiscard]] constexpr uint32_t vocabulary_id(model::WordVocabularyKind kind) {
  switch (kind) {
    case model::WordVocabularyKind::Simple:
      return kSimpleVocab;
    case model::WordVocabularyKind::Bucket:
      return kBucketVocab;
    case model::WordVocabularyKind::FastText:
      return kFastTextVocab;
    case model::WordVocabularyKind::Explicit:
      return kExplicitVocab;
    case model::WordVocabularyKind::Floret:
      break;
  }
  return kFloretVocab;
}

}  // namespace ambry::formats::finalfusion
