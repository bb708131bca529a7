// The most that a file may claim. A table entry takes more memory than the few bytes that describe
// it, so the file's size alone does not bound the memory. The limits are far above real models.
#pragma once

#include <cstdint>

namespace ambry::io {

inline constexpr uint64_t kMaxTensors = 65'536;
inline constexpr uint64_t kMaxTensorNameBytes = 65'536;
inline constexpr uint64_t kMaxMetadataEntries = 4'096;
inline constexpr uint64_t kMaxVocabularyBytes = 64ULL << 20;
inline constexpr uint64_t kMaxMetadataBytes = 64ULL << 20;

}  // namespace ambry::io
