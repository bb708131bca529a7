#include "search/sparse/sparse_file.h"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <vector>

#include "search/rows/row_index.h"
#include "search/sparse/make_sparse.h"
#include "search/sparse/sparse_index.h"

namespace ambry::search {
namespace {

using SparseBytes = std::vector<uint8_t>;

constexpr std::string_view kSparseHeader = "what the passages are";
// Where the parts of small_file() begin.
constexpr size_t kTable = 128;
constexpr size_t kNorms = kTable + 3 * 8;
constexpr size_t kWeights = kNorms + 4 * 4;

SparseBytes small_file() { return sparse_file(small_sparse(), kSparseHeader); }

Error sparse_error(const SparseBytes& file) {
  const auto index = load_sparse(file);
  EXPECT_FALSE(index);
  return index ? Error{} : index.error();
}

TEST(SparseFile, LoadsWhatItSaved) {
  const SparseBytes file = small_file();
  EXPECT_EQ(file.size(), kWeights + 4 * 8 + 4);
  auto loaded = load_sparse(file);
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_EQ(loaded->dim(), 9U);
  EXPECT_EQ(loaded->size(), 4U);
  EXPECT_EQ(loaded->n_weights(), 4U);
  EXPECT_EQ(loaded->origin().version, 5U);
  EXPECT_EQ(loaded->origin().header_offset, 64U);
  EXPECT_EQ(as_text(loaded->origin().header), kSparseHeader);
  const std::vector<float> query = pairs_of({{2, 1.0F}, {8, 3.0F}});
  EXPECT_EQ(loaded->search(query, {}, 9).value().size(), 3U);
  EXPECT_EQ(loaded->search(query, {}, 1).value()[0],
            small_sparse().search(query, {}, 1).value()[0]);
  // A loaded index changes as any other.
  ASSERT_TRUE(append_sparse(*loaded, {{{0, 9.0F}}}));
  EXPECT_TRUE(loaded->origin().header.empty());
  EXPECT_EQ(loaded->search(pairs_of({{0, 1.0F}}), {}, 1).value()[0].row, 4U);
  EXPECT_EQ(sparse_file(load_sparse(file).value(), kSparseHeader), file);
}

TEST(SparseFile, HoldsAnEmptyIndex) {
  const SparseBytes file = sparse_file(SparseIndex::create(7).value(), "");
  EXPECT_EQ(file.size(), 64U + 4U);
  auto loaded = load_sparse(file);
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_EQ(loaded->size(), 0U);
  EXPECT_TRUE(loaded->search(pairs_of({{1, 1.0F}}), {}, 5).value().empty());
}

TEST(SparseFile, EveryPrefixIsAnError) {
  const SparseBytes file = small_file();
  for (size_t n = 0; n < file.size(); ++n) {
    const Error error = sparse_error({file.begin(), file.begin() + static_cast<ptrdiff_t>(n)});
    EXPECT_EQ(error.code, ErrorCode::Truncated) << n;
    EXPECT_LE(error.byte_offset, n);
    EXPECT_FALSE(error.path.empty());
  }
}

TEST(SparseFile, EveryFlippedBitIsAnErrorWithAnOffset) {
  const SparseBytes whole = small_file();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      SparseBytes file = whole;
      file[at] = static_cast<uint8_t>(file[at] ^ mask);
      const Error error = sparse_error(file);
      EXPECT_LT(error.byte_offset, file.size()) << at;
      EXPECT_FALSE(error.path.empty()) << at;
    }
  }
}

// With the right checksum, what loads can be searched, changed and saved.
TEST(SparseFile, WhatLoadsCanBeUsed) {
  TestRandom random(17);
  const SparseBytes whole = small_file();
  size_t n_loaded = 0;
  constexpr size_t kTries = 4000;
  for (size_t i = 0; i < kTries; ++i) {
    SparseBytes file = whole;
    for (size_t changes = 1 + random.bits() % 3; changes > 0; --changes) {
      const size_t at = 8 + random.bits() % (file.size() - 8);
      file[at] = static_cast<uint8_t>(random.bits() % 2 == 0 ? random.bits() : random.bits() % 9);
    }
    auto loaded = load_sparse(with_sparse_checksum(file));
    if (!loaded) {
      ASSERT_LE(loaded.error().byte_offset, file.size());
      continue;
    }
    ++n_loaded;
    const auto hits = loaded->search(pairs_of({{0, 1.0F}, {2, 2.0F}}), {}, 10);
    ASSERT_TRUE(hits);
    ASSERT_LE(hits->size(), loaded->size());
    ASSERT_TRUE(loaded->retain(SparseBytes(loaded->size(), 1)));
    ASSERT_TRUE(append_sparse(*loaded, {{{1, 1.0F}}}));
    ASSERT_TRUE(load_sparse(sparse_file(std::move(*loaded), "")));
  }
  EXPECT_GT(n_loaded, 40U);
  EXPECT_LT(n_loaded, kTries);
}

template <class T>
SparseBytes with_value(size_t offset, T value) {
  SparseBytes file = small_file();
  store_le(file.data() + offset, value);
  return with_sparse_checksum(file);
}

TEST(SparseFile, ChecksEveryField) {
  struct Fault {
    SparseBytes file;
    ErrorCode code;
    uint64_t byte_offset;
    const char* path;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  using enum ErrorCode;
  const std::vector<Fault> faults = {
      {with_value<uint8_t>(0, 'a'), BadMagic, 0, "magic"},
      {with_value<uint32_t>(8, 2), UnsupportedVersion, 8, "version"},
      {with_value<uint32_t>(12, 0), BadValue, 12, "dim"},
      {with_value<uint32_t>(12, kMaxVocabulary + 1), BadValue, 12, "dim"},
      {with_value<uint32_t>(12, 2), BadValue, 52, "words"},
      {with_value<uint64_t>(16, UINT64_MAX), LimitExceeded, 16, "rows"},
      {with_value<uint64_t>(16, UINT32_MAX), LimitExceeded, 16, "rows"},
      {with_value<uint64_t>(16, 5), Mismatch, 40, "file_size"},
      {with_value<uint64_t>(24, UINT64_MAX), LimitExceeded, 16, "rows"},
      {with_value<uint64_t>(24, 1000), Mismatch, 32, "data_offset"},
      {with_value<uint64_t>(32, 0), Mismatch, 32, "data_offset"},
      {with_value<uint64_t>(40, 1), Mismatch, 40, "file_size"},
      {with_value<uint32_t>(48, 1), BadValue, 48, "kind"},
      {with_value<uint32_t>(52, 4), Mismatch, 40, "file_size"},
      {with_value<uint64_t>(56, UINT64_MAX), LimitExceeded, 16, "rows"},
      {with_value<uint64_t>(56, 5), Mismatch, 40, "file_size"},
      {with_value<uint8_t>(kTable - 1, 1), BadValue, kTable - 1, "padding"},
      {with_value<uint32_t>(kTable + 8, 0), BadValue, kTable + 8, "words[1]"},
      {with_value<uint32_t>(kTable + 16, 9), BadValue, kTable + 16, "words[2]"},
      {with_value<uint32_t>(kTable + 4, 0), BadValue, kTable, "words[0]"},
      {with_value<uint32_t>(kTable + 12, 5), BadValue, kTable + 8, "words[1]"},
      {with_value<uint32_t>(kTable + 12, 3), Mismatch, kTable, "words"},
      {with_value<float>(kNorms + 4, nan), BadValue, kNorms + 4, "norms"},
      {with_value<float>(kNorms + 8, -1), BadValue, kNorms + 8, "norms"},
      {with_value<uint32_t>(kWeights, 4), BadValue, kWeights, "weights[0]"},
      {with_value<uint32_t>(kWeights + 16, 0), BadValue, kWeights + 16, "weights[2]"},
      {with_value<float>(kWeights + 4, 0), BadValue, kWeights, "weights[0]"},
      {with_value<float>(kWeights + 28, nan), BadValue, kWeights + 24, "weights[3]"},
  };
  for (const Fault& fault : faults) {
    const Error error = sparse_error(fault.file);
    EXPECT_EQ(error.code, fault.code) << describe(error);
    EXPECT_EQ(error.byte_offset, fault.byte_offset) << describe(error);
    EXPECT_EQ(error.path, fault.path) << describe(error);
  }
}

TEST(SparseFile, TrailingBytesAreAnError) {
  SparseBytes file = small_file();
  file.push_back(0);
  const Error error = sparse_error(file);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.byte_offset, file.size() - 1);
}

TEST(SparseFile, IsNoIndexOfRows) {
  const SparseBytes file = small_file();
  AlignedBuffer memory = AlignedBuffer::allocate(file.size()).value();
  std::ranges::copy(file, memory.data());
  const auto as_rows = RowIndex::load(std::move(memory));
  ASSERT_FALSE(as_rows);
  EXPECT_EQ(as_rows.error().code, ErrorCode::UnsupportedVersion);
  EXPECT_EQ(as_rows.error().path, "version");
}

}  // namespace
}  // namespace ambry::search
