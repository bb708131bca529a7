#include "search/multi_vector_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/crc32.h"
#include "kernels/test_random.h"
#include "search/make_rows.h"

namespace ambry::search {
namespace {

using File = std::vector<uint8_t>;
using Lengths = std::vector<uint32_t>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::string_view kDocumentHeader = "what the passages are";

// Documents of three dimensions with 1, 3 and 2 rows.
MultiVectorIndex small_documents(RowKind kind) {
  MultiVectorIndex index = MultiVectorIndex::create(3, kind).value();
  EXPECT_TRUE(
      index.append(std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5F, 0}, Lengths{1, 3}));
  EXPECT_TRUE(index.append(std::vector<float>{0.6F, 0.8F, 0, 0, 0, 0.2F}, Lengths{2}));
  return index;
}

File saved_documents(const MultiVectorIndex& index, std::string_view header) {
  const IndexPieces pieces = index.save(as_bytes(header)).value();
  File file;
  for (const Bytes piece : {pieces.head(), pieces.rows, pieces.tail()}) {
    file.insert(file.end(), piece.begin(), piece.end());
  }
  return file;
}

File with_document_checksum(File file) {
  store_le(file.data() + file.size() - 4, io::crc32(Bytes(file).first(file.size() - 4)));
  return file;
}

AlignedBuffer document_memory(const File& file) {
  AlignedBuffer memory = AlignedBuffer::allocate(file.size()).value();
  std::ranges::copy(file, memory.data());
  return memory;
}

Error document_error(const File& file) {
  const auto index = MultiVectorIndex::load(document_memory(file));
  EXPECT_FALSE(index);
  return index ? Error{} : index.error();
}

std::vector<uint32_t> found_documents(const MultiVectorIndex& index,
                                      const std::vector<float>& query, size_t k,
                                      const std::vector<float>& bias = {}) {
  return rows_of(index.search(query, bias, k).value());
}

class DocumentIndexTest : public ::testing::TestWithParam<RowKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, DocumentIndexTest, ::testing::Values(RowKind::F32, RowKind::Int8));

TEST_P(DocumentIndexTest, SumsTheBestProducts) {
  const MultiVectorIndex index = small_documents(GetParam());
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(index.n_rows(), 6U);
  const auto hits = index.search(std::vector<float>{1, 0, 0, 0, 1, 0}, {}, 3);
  ASSERT_TRUE(hits) << describe(hits.error());
  EXPECT_EQ(rows_of(*hits), (std::vector<uint32_t>{2, 0, 1}));
  EXPECT_NEAR((*hits)[0].score, 1.4, 0.01);
  EXPECT_NEAR((*hits)[1].score, 1, 0.01);
  EXPECT_NEAR((*hits)[2].score, 1, 0.01);
}

TEST_P(DocumentIndexTest, EqualsAFullSort) {
  TestRandom random(8);
  constexpr uint32_t kDim = 21;
  constexpr uint32_t kDocuments = 90;
  MultiVectorIndex index = MultiVectorIndex::create(kDim, GetParam()).value();
  for (uint32_t i = 0; i < kDocuments; ++i) {
    const uint32_t n_rows = 1 + i * 7 % 40;
    ASSERT_TRUE(index.append(random.floats(size_t{n_rows} * kDim), Lengths{n_rows}));
  }
  const std::vector<float> query = random.floats(size_t{5} * kDim);
  const auto all = index.search(query, {}, kDocuments).value();
  ASSERT_EQ(all.size(), kDocuments);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::ranges::greater(), &Hit::score));
  for (const size_t k : {1U, 10U, 89U}) {
    EXPECT_TRUE(std::ranges::equal(index.search(query, {}, k).value(), std::span(all).first(k)));
  }
  // A bias lifts and excludes documents.
  std::vector<float> bias(kDocuments, 0);
  bias[all[0].row] = -kInf;
  bias[all[9].row] = 1000;
  const auto lifted = index.search(query, bias, 3).value();
  EXPECT_EQ(lifted[0].row, all[9].row);
  EXPECT_EQ(lifted[0].score, all[9].score);
  EXPECT_EQ(lifted[0].rank, all[9].score + 1000);
  EXPECT_EQ(lifted[1].row, all[1].row);
}

TEST_P(DocumentIndexTest, TiesGoToTheLowerDocument) {
  MultiVectorIndex index = MultiVectorIndex::create(1, GetParam()).value();
  ASSERT_TRUE(index.append(std::vector<float>{1, 2, 2, 1, 1}, Lengths{1, 1, 2, 1}));
  EXPECT_EQ(found_documents(index, {1}, 9), (std::vector<uint32_t>{1, 2, 0, 3}));
  EXPECT_EQ(found_documents(index, {1}, 0), std::vector<uint32_t>{});
}

TEST_P(DocumentIndexTest, DropsDocumentsWithAllTheirRows) {
  MultiVectorIndex index = small_documents(GetParam());
  ASSERT_TRUE(index.retain(File{1, 0, 1}));
  EXPECT_EQ(index.size(), 2U);
  EXPECT_EQ(index.n_rows(), 3U);
  EXPECT_EQ(found_documents(index, {0, 1, 0}, 2), (std::vector<uint32_t>{1, 0}));
  ASSERT_TRUE(index.append(std::vector<float>{0, 1, 0}, Lengths{1}));
  EXPECT_EQ(found_documents(index, {0, 1, 0}, 1), (std::vector<uint32_t>{2}));
  ASSERT_TRUE(index.retain(File{0, 0, 0}));
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(found_documents(index, {0, 1, 0}, 1), std::vector<uint32_t>{});
}

TEST_P(DocumentIndexTest, RefusesWhatDoesNotFit) {
  MultiVectorIndex index = small_documents(GetParam());
  const auto expect = [](const auto& result, ErrorCode code, const char* path) {
    ASSERT_FALSE(result) << path;
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().path, path);
  };
  const std::vector<float> row = {1, 2, 3};
  expect(index.append(row, Lengths{1, 0}), ErrorCode::BadValue, "lengths[1]");
  expect(index.append(row, Lengths{2}), ErrorCode::Mismatch, "lengths");
  expect(index.append(row, Lengths{}), ErrorCode::Mismatch, "lengths");
  expect(index.append(std::vector<float>{1, 2, 3, 4}, Lengths{1}), ErrorCode::BadValue, "rows");
  expect(index.append(std::vector<float>{1, kInf, 3}, Lengths{1}), ErrorCode::BadValue, "rows[0]");
  expect(index.retain(File{1, 1}), ErrorCode::Mismatch, "marks");
  expect(index.search({}, {}, 1), ErrorCode::Mismatch, "query");
  expect(index.search(std::vector<float>{1, 2}, {}, 1), ErrorCode::Mismatch, "query");
  expect(index.search(std::vector<float>{1, 2, kInf}, {}, 1), ErrorCode::BadValue, "query");
  expect(index.search(row, std::vector<float>{0, 0}, 1), ErrorCode::Mismatch, "bias");
  EXPECT_EQ(index.size(), 3U);
  EXPECT_EQ(index.n_rows(), 6U);
}

TEST_P(DocumentIndexTest, LoadsWhatItSaved) {
  const MultiVectorIndex index = small_documents(GetParam());
  const File file = saved_documents(index, kDocumentHeader);
  auto loaded = MultiVectorIndex::load(document_memory(file));
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_EQ(loaded->dim(), 3U);
  EXPECT_EQ(loaded->size(), 3U);
  EXPECT_EQ(loaded->n_rows(), 6U);
  EXPECT_EQ(loaded->kind(), GetParam());
  EXPECT_EQ(loaded->origin().version, 3U);
  EXPECT_EQ(as_text(loaded->origin().header), kDocumentHeader);
  EXPECT_EQ(saved_documents(*loaded, as_text(loaded->origin().header)), file);
  const std::vector<float> query = {0.1F, 0.9F, 0.3F, 0, 0, 1};
  EXPECT_EQ(loaded->search(query, {}, 3).value(), index.search(query, {}, 3).value());
  ASSERT_TRUE(loaded->append(std::vector<float>{0, 0, 9}, Lengths{1}));
  EXPECT_EQ(found_documents(*loaded, query, 1), (std::vector<uint32_t>{3}));
}

TEST_P(DocumentIndexTest, EveryPrefixIsAnError) {
  const File file = saved_documents(small_documents(GetParam()), kDocumentHeader);
  for (size_t n = 0; n < file.size(); ++n) {
    const Error error = document_error({file.begin(), file.begin() + static_cast<ptrdiff_t>(n)});
    EXPECT_EQ(error.code, ErrorCode::Truncated) << n;
    EXPECT_FALSE(error.path.empty());
  }
}

TEST_P(DocumentIndexTest, EveryFlippedBitIsAnErrorWithAnOffset) {
  const File whole = saved_documents(small_documents(GetParam()), kDocumentHeader);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned mask : {0x01U, 0x80U, 0xFFU}) {
      File file = whole;
      file[at] = static_cast<uint8_t>(file[at] ^ mask);
      const Error error = document_error(file);
      EXPECT_LT(error.byte_offset, file.size()) << at;
      EXPECT_FALSE(error.path.empty()) << at;
    }
  }
}

TEST(DocumentFile, ChecksLengths) {
  const File file = saved_documents(small_documents(RowKind::F32), "");
  const size_t lengths = file.size() - 4 - 3 * 4;
  const auto with_length = [&](size_t i, uint32_t length) {
    File changed = file;
    store_le(changed.data() + lengths + i * 4, length);
    return document_error(with_document_checksum(changed));
  };
  const Error empty = with_length(1, 0);
  EXPECT_EQ(empty.code, ErrorCode::BadValue);
  EXPECT_EQ(empty.path, "lengths[1]");
  EXPECT_EQ(empty.byte_offset, lengths + 4);
  const Error more = with_length(2, 3);
  EXPECT_EQ(more.code, ErrorCode::Mismatch);
  EXPECT_EQ(more.path, "lengths");
  // Sums do not wrap.
  EXPECT_EQ(with_length(0, UINT32_MAX).code, ErrorCode::Mismatch);
}

TEST(DocumentFile, ChecksTheNumberOfDocuments) {
  const File file = saved_documents(small_documents(RowKind::F32), "");
  for (const uint64_t documents : {uint64_t{7}, UINT64_MAX / 4, UINT64_MAX}) {
    File changed = file;
    store_le(changed.data() + 56, documents);
    const Error error = document_error(with_document_checksum(changed));
    EXPECT_EQ(error.code, ErrorCode::Mismatch) << documents;
    EXPECT_EQ(error.path, "documents") << documents;
    EXPECT_EQ(error.byte_offset, 56U);
  }
  File fewer = file;
  store_le<uint64_t>(fewer.data() + 56, 2);
  EXPECT_EQ(document_error(with_document_checksum(fewer)).path, "file_size");
}

TEST(DocumentFile, IsNoIndexOfRows) {
  const auto as_rows =
      RowIndex::load(document_memory(saved_documents(small_documents(RowKind::Int8), "")));
  ASSERT_FALSE(as_rows);
  EXPECT_EQ(as_rows.error().code, ErrorCode::UnsupportedVersion);
  EXPECT_EQ(as_rows.error().path, "version");
  EXPECT_NE(as_rows.error().message.find("late interaction"), std::string::npos);
  RowIndex rows = RowIndex::create(3, RowKind::F32).value();
  ASSERT_TRUE(rows.append(std::vector<float>{1, 2, 3}));
  const IndexPieces pieces = rows.save({}).value();
  File file;
  for (const Bytes piece : {pieces.head(), pieces.rows, pieces.tail()}) {
    file.insert(file.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(document_error(file).code, ErrorCode::UnsupportedVersion);
}

TEST(DocumentFile, HoldsAnEmptyIndex) {
  const File file = saved_documents(MultiVectorIndex::create(7, RowKind::Int8).value(), "");
  const auto loaded = MultiVectorIndex::load(document_memory(file));
  ASSERT_TRUE(loaded) << describe(loaded.error());
  EXPECT_EQ(loaded->size(), 0U);
}

}  // namespace
}  // namespace ambry::search
