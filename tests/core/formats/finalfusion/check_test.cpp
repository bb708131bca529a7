#include <gtest/gtest.h>

#include "formats/finalfusion/make_fifu.h"
#include "formats/finalfusion/read_fifu.h"

namespace ambry::formats::finalfusion {
namespace {

using testing::expect_refused;
using testing::FifuMaker;
using testing::File;
using testing::put_at;
using testing::read;
using testing::with_vocabulary;

TEST(FifuCheck, RefusesAWordThatOccursTwice) {
  FifuMaker maker;
  maker.words = {"one", "two", "three", "two"};
  const File file = maker.make();
  expect_refused(file, ErrorCode::BadValue, "vocabulary.words[3]", maker.places.words + 7 + 7 + 9);
}

TEST(FifuCheck, RefusesAnNgramThatOccursTwice) {
  FifuMaker maker = with_vocabulary(8);
  maker.ngrams = {{"<Be", 0}, {"Ber", 1}, {"<Be", 1}};
  const File file = maker.make();
  expect_refused(file, ErrorCode::BadValue, "vocabulary.ngrams[2]", maker.places.ngrams + 15 + 15);
}

TEST(FifuCheck, NamesTenRepetitionsAndCountsTheRest) {
  FifuMaker maker;
  maker.words.assign(100, "same");
  const auto result = read(maker.make());
  ASSERT_EQ(result.found.errors.size(), 11U);
  EXPECT_NE(result.found.errors[10].message.find("99"), std::string::npos);
}

// Rust does not compare them when it reads.
TEST(FifuCheck, RefusesRowsThatAreNotTheVocabularys) {
  for (const uint32_t id : {1U, 3U, 7U, 8U, 9U}) {
    FifuMaker maker = with_vocabulary(id);
    maker.norms = false;
    File file = maker.make();
    const uint64_t at = maker.places.storage + 12;
    const uint64_t rows = maker.rows() - 1;
    put_at(file, at, rows);
    put_at(file, maker.places.storage + 4,
           load_le<uint64_t>(file.data() + maker.places.storage + 4) - 4 * maker.dims);
    file.resize(file.size() - 4 * maker.dims);
    expect_refused(file, ErrorCode::Mismatch, "storage.rows", at);
  }
}

TEST(FifuCheck, RefusesCodesOfOtherRowsThanTheVocabularys) {
  FifuMaker maker;
  maker.norms = false;
  maker.quantized = true;
  File file = maker.make();
  put_at(file, maker.places.storage + 12 + 20, uint64_t{2});
  put_at(file, maker.places.storage + 4,
         load_le<uint64_t>(file.data() + maker.places.storage + 4) - maker.quantized_len);
  file.resize(file.size() - maker.quantized_len);
  expect_refused(file, ErrorCode::Mismatch, "storage.rows", maker.places.storage + 12 + 20);
}

TEST(FifuCheck, RefusesNormsThatAreNotOneAWord) {
  FifuMaker maker = with_vocabulary(3);
  File file = maker.make();
  put_at(file, maker.places.norms + 12, uint64_t{2});
  put_at(file, maker.places.norms + 4, uint64_t{12 + 4 + 8});
  file.resize(file.size() - 4);
  expect_refused(file, ErrorCode::Mismatch, "norms.n", maker.places.norms + 12);
}

TEST(FifuCheck, DoesNotOverflowOnTheHighestExponent) {
  FifuMaker maker = with_vocabulary(3);
  File file = maker.make();
  put_at(file, maker.places.vocabulary + 12 + 16, uint32_t{63});
  expect_refused(file, ErrorCode::Mismatch, "storage.rows", maker.places.storage + 12);
}

}  // namespace
}  // namespace ambry::formats::finalfusion
