// What version 1 leaves open about tensors, parameters and tokenizer (core/formats/alt/README.md).
#include "formats/alt/read_alt.h"
#include "formats/expect_format.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

// core/formats/alt/README.md#shape-order
TEST(AltShapeOrder, ReportsATransposedMatrix) {
  V1Maker maker;
  maker.tensors[9].shape = {6, 4};
  const File file = maker.make();
  const Error error = expect_refused(file, "tensors[9].shape", maker.places.records[9]);
  EXPECT_NE(error.message.find("stored transposed"), std::string::npos) << error.message;
}

// core/formats/alt/README.md#data-alignment
TEST(AltDataAlignment, IsNotRequired) {
  V1Maker maker;
  const Read result = read(maker.make());
  EXPECT_TRUE(std::ranges::any_of(result.model->tensors,
                                  [](const auto& tensor) { return tensor.offset % 4 != 0; }));
}

// core/formats/alt/README.md#data-types
TEST(AltDataType, IsThatOfTheTensorNotTheGlobalOne) {
  V1Maker maker;
  for (Tensor& tensor : maker.tensors) tensor.data_type = tensor.shape.size() == 2 ? 1 : 0;
  maker.data_type = 1;
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean()) << result.text();
  EXPECT_EQ(result.model->tensors[0].dtype, tensor::DType::F16);
  EXPECT_EQ(result.model->tensors[1].dtype, tensor::DType::F32);
  for (const int32_t wrong : {0, 2, 77, -1}) {
    maker.data_type = wrong;
    const File file = maker.make();
    expect_tolerated(file, "config.data_type", maker.field(9));
  }
}

// core/formats/alt/README.md#qint8
V1Maker quantized() {
  V1Maker maker;
  maker.hidden_size = 32;
  maker.n_heads = 1;
  maker.head_size = 32;
  maker.intermediate_size = 32;
  for (Tensor& tensor : maker.tensors) {
    const bool embedding = tensor.shape[0] == 9;
    for (int32_t& extent : tensor.shape) extent = 32;
    if (embedding) tensor.shape[0] = 9;
    if (tensor.shape.size() == 2) tensor.data_type = 2;
  }
  maker.data_type = 2;
  return maker;
}

TEST(AltQint8, IsReadWhenItsLayoutMatchesToTheByte) {
  V1Maker maker = quantized();
  const Read result = read(maker.make());
  EXPECT_TRUE(result.accepted()) << result.text();
  EXPECT_NE(find(result.found.warnings, "tensors.data_type"), nullptr);
  EXPECT_EQ(result.model->tensors[0].dtype, tensor::DType::Q8_0);
  EXPECT_EQ(result.model->tensors[0].bytes, 9U * 34U);
}

TEST(AltQint8, IsRefusedOtherwise) {
  V1Maker maker = quantized();
  File file = maker.make();
  const auto size = load_le<int64_t>(file.data() + maker.places.tensors + 8);
  put_at(file, maker.places.tensors + 8, size + 16);
  EXPECT_EQ(expect_refused(file, "tensors.data_type", maker.places.records[0] + 8).code,
            ErrorCode::Unsupported);
  maker.tensors[0].data = std::string(9 * 32, '\x7F');  // without scales
  maker.tensors[0].data_type = 2;
  file = maker.make();
  file.erase(file.begin() + static_cast<std::ptrdiff_t>(maker.places.records[1]) - 18,
             file.begin() + static_cast<std::ptrdiff_t>(maker.places.records[1]));
  EXPECT_EQ(expect_refused(file, "tensors.data_type", maker.places.records[0] + 8).code,
            ErrorCode::Unsupported);
  maker.tensors[4].shape = {33, 31};
  file = maker.make();
  EXPECT_EQ(expect_refused(file, "tensors[4].data_type", maker.places.records[4] + 8).code,
            ErrorCode::Unsupported);
}

TEST(AltQint8, OtherTypesAreRefusedByName) {
  V1Maker maker;
  maker.tensors[2].data_type = 3;
  File file = maker.make();
  Error error = expect_refused(file, "tensors[2].data_type", maker.places.records[2] + 8);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("qint4"), std::string::npos);
  for (const int32_t unknown : {13, -1}) {
    maker.tensors[2].data_type = unknown;
    file = maker.make();
    error = expect_refused(file, "tensors[2].data_type", maker.places.records[2] + 8);
    EXPECT_EQ(error.code, ErrorCode::BadValue);
  }
}

// core/formats/alt/README.md#sliding-window
TEST(AltSlidingWindow, IsAbsentForZeroAndForMoreThanTheContext) {
  for (const int32_t window : {0, 16, 4096}) {
    V1Maker maker;
    maker.sliding_window = window;
    const Read result = read(maker.make());
    EXPECT_TRUE(result.clean()) << result.text();
    EXPECT_EQ(result.model->config.find("sliding_window")->uint(), static_cast<uint64_t>(window));
  }
}

TEST(AltSlidingWindow, IsAbsentWithAWarningIfNegative) {
  V1Maker maker;
  maker.sliding_window = -1;
  const File file = maker.make();
  expect_tolerated(file, "parameters.sliding_window", maker.field(5));
  EXPECT_EQ(read_leniently(file).model->config.find("sliding_window")->uint(), 0U);
}

// core/formats/alt/README.md#tied-embeddings
TEST(AltTiedEmbeddings, MayHaveAnOutputMatrix) {
  V1Maker maker;
  EXPECT_TRUE(read(maker.make()).clean());
  maker.tensors.push_back({"lm_head.weight", {9, 4}});
  EXPECT_TRUE(read(maker.make()).clean()) << read(maker.make()).text();
  maker.tensors.back().shape = {9, 5};
  const File file = maker.make();
  expect_refused(file, "tensors[11].shape", maker.places.records[11]);
}

// core/formats/alt/README.md#vocabulary-rows
TEST(AltVocabulary, MayHaveFewerTokensThanRowsWithAWarning) {
  V1Maker maker;
  maker.tensors = tiny_tensors(12);
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.vocab_size", maker.places.records[0]);
}

TEST(AltVocabulary, MustNotHaveMore) {
  V1Maker maker;
  maker.tensors = tiny_tensors(8);
  const File file = maker.make();
  expect_refused(file, "tensors[0].shape", maker.places.records[0]);
}

// core/formats/alt/README.md#special-ids
TEST(AltSpecialIds, AreAbsentIfNegative) {
  V1Maker maker;
  maker.pad = -7;
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.pad_id", maker.places.tokenizer + 16 + 12);
  EXPECT_FALSE(read_leniently(file).model->tokenizer->pad_id);
}

// core/formats/alt/README.md#piece-spelling
TEST(AltPieces, WithSpacesAreSpelledAsSentencePieceDoes) {
  V1Maker maker;
  maker.tokens[5].piece = " a";
  maker.tokens[8].piece = "  ";
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens", maker.places.tokens[0]);
  const auto pieces = read_leniently(file).model->tokenizer->vocabulary;
  EXPECT_EQ(pieces[5],
            "\xE2\x96\x81"
            "a");
  EXPECT_EQ(pieces[8], "\xE2\x96\x81\xE2\x96\x81");
  maker.tokens[5].piece = std::string(kSpaceMark) + "a";
  EXPECT_TRUE(read(maker.make()).clean());  // a space beside U+2581 is one
}

// core/formats/alt/README.md#end-only: the marker's bytes within data end nothing.
TEST(AltEndMarker, IsFoundAtTheEndOnly) {
  V1Maker maker;
  File file = maker.make();
  const uint64_t data = maker.places.records[3] + 12 + 8 + maker.tensors[3].name.size();
  put_at(file, data, kEnd);
  EXPECT_TRUE(read(file).clean());
}

// core/formats/alt/README.md#head-size
TEST(AltHeadSize, IsUsedIfTheQueriesHaveThatManyRows) {
  V1Maker maker;
  maker.head_size = 4;
  maker.tensors[2].shape = {8, 4};
  maker.tensors[3].shape = {4, 4};
  maker.tensors[4].shape = {4, 4};
  maker.tensors[5].shape = {4, 8};
  const Read result = read(maker.make());
  EXPECT_TRUE(result.clean()) << result.text();
  maker.tensors = tiny_tensors();
  const File file = maker.make();
  expect_refused(file, "tensors[2].shape", maker.places.records[2]);
  maker.with_tensors = false;
  EXPECT_NE(find(read(maker.make()).found.warnings, "config.head_size"), nullptr);
}

// core/formats/alt/README.md#byte-order
TEST(AltByteOrder, IsLittleEndian) {
  V1Maker maker;
  maker.hidden_size = static_cast<int32_t>(0x04000000);
  EXPECT_FALSE(read_leniently(maker.make()).accepted());
}

}  // namespace
}  // namespace ambry::formats::alt
