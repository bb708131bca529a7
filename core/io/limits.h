// What a file may claim at most, beyond what its size already bounds: a table entry takes more
// memory than the few bytes that describe it, so numbers of entries have ceilings far above real
// models.
#pragma once

#include <cstdint>

namespace ambry::io {

inline constexpr uint64_t kMaxTensors = 65'536;
inline constexpr uint64_t kMaxMetadataEntries = 4'096;
inline constexpr uint64_t kMaxVocabularyBytes = 64ULL << 20;
inline constexpr uint64_t kMaxMetadataBytes = 64ULL << 20;

}  // namespace ambry::io
