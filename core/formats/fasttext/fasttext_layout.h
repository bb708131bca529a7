// Constants of fastText's .bin and .ftz files. README.md explains them.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::formats::fasttext {

inline constexpr std::string_view kMagic = "\xBA\x16\x4F\x2F";  // 793712314
inline constexpr uint32_t kVersion = 12;
// Supervised models of this version have no character n-grams, whatever they state.
inline constexpr uint32_t kOldVersion = 11;

inline constexpr uint64_t kHeaderBytes = 64;      // magic, version, twelve i32, one f64
inline constexpr uint64_t kDictionaryBytes = 28;  // the counts before the entries
inline constexpr uint64_t kEntryBytes = 10;       // NUL, count and type of an entry
inline constexpr uint64_t kMaxWordBytes = 64 << 10;
inline constexpr uint64_t kMaxDims = 1 << 20;
// Offsets of fields, for errors.
inline constexpr uint64_t kWordNgramsAt = 28;
inline constexpr uint64_t kModelAt = 36;
inline constexpr uint64_t kBucketAt = 40;
inline constexpr uint64_t kMaxNAt = 48;
inline constexpr uint64_t kLabelCountAt = 72;
inline constexpr uint64_t kPrunedAt = 84;

inline constexpr uint64_t kPlainMatrixBytes = 16;  // rows and cols, before the floats
inline constexpr uint64_t kQuantizerBytes = 16;    // four counts, before the centroids
// fastText gives this count to what is not in the tree of labels yet.
inline constexpr uint64_t kMaxLabelCount = 1'000'000'000'000'000;
// Requested at once, because the length of the dictionary is not stated.
inline constexpr uint64_t kReadAhead = 1 << 20;
inline constexpr uint64_t kNotPruned = UINT64_MAX;  // -1

inline constexpr uint8_t kWordEntry = 0;
inline constexpr uint8_t kLabelEntry = 1;

inline constexpr uint32_t kSupervised = 3;

// For every product quantizer.
inline constexpr uint32_t kCentroids = 256;

}  // namespace ambry::formats::fasttext
