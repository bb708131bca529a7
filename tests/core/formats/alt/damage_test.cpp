// Damaged counts, texts and tensors: one fault each, with the place that is named.
#include "formats/alt/read_alt.h"
#include "formats/expect_format.h"

namespace ambry::formats::alt {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

File changed(V1Maker& maker, const std::function<uint64_t()>& at, int32_t value) {
  File file = maker.make();
  put_at(file, at(), value);
  return file;
}

TEST(AltDamage, RejectsNegativeLengths) {
  V1Maker maker;
  maker.make();
  const Places& places = maker.places;
  expect_refused(
      changed(maker, [&] { return places.parameters + 16; }, -1), "parameters.model_type", 48);
  expect_refused(changed(
                     maker, [&] { return places.tokenizer + 16; }, -1),
                 "tokenizer.vocab_size", places.tokenizer + 16);
  expect_refused(changed(
                     maker, [&] { return places.tokens[4]; }, -1),
                 "tokenizer.tokens[4].length", places.tokens[4]);
  expect_refused(changed(
                     maker, [&] { return places.records[1] + 4; }, -1),
                 "tensors[1].name_length", places.records[1] + 4);
  expect_refused(changed(
                     maker, [&] { return places.records[1]; }, -1),
                 "tensors[1].n_dims", places.records[1]);
  expect_refused(changed(
                     maker, [&] { return places.records[1] + 12; }, -4),
                 "tensors[1].shape[0]", places.records[1] + 12);
  expect_refused(changed(
                     maker, [&] { return places.tensors + 20; }, -1),
                 "tensors.tensor_count", places.tensors + 16);
  expect_refused(changed(
                     maker, [&] { return places.tensors + 28; }, -1),
                 "tensors.shape_count", places.tensors + 24);
}

TEST(AltDamage, RejectsLengthsPastTheEnd) {
  V1Maker maker;
  maker.make();
  const Places& places = maker.places;
  EXPECT_EQ(expect_refused(changed(
                               maker, [&] { return places.tokens[4]; }, 1 << 20),
                           "tokenizer.tokens[4].length", places.tokens[4])
                .code,
            ErrorCode::Truncated);
  EXPECT_EQ(expect_refused(changed(
                               maker, [&] { return places.tokenizer + 16; }, 1 << 20),
                           "tokenizer.vocab_size", places.tokenizer + 16)
                .code,
            ErrorCode::Truncated);
  EXPECT_EQ(expect_refused(changed(
                               maker, [&] { return places.tensors + 16; }, 1 << 20),
                           "tensors.tensor_count", places.tensors + 16)
                .code,
            ErrorCode::Truncated);
  EXPECT_EQ(read(changed(
                     maker, [&] { return places.records[10] + 12; }, 1 << 20))
                .model.error()
                .path,
            "tensors[10].data");
}

TEST(AltDamage, RejectsInvalidUtf8AtItsByte) {
  V1Maker maker;
  maker.tokens[6].piece = "b\xFF";
  File file = maker.make();
  expect_refused(file, "tokenizer.tokens[6].piece", maker.places.tokens[6] + 5);
  EXPECT_EQ(read(file).model->tokenizer->vocabulary[6], "\xEF\xBF\xBD");
  maker = V1Maker();
  maker.model_type = "m\xC3";
  expect_refused(maker.make(), "parameters.model_type", 48 + 4 + 1);
  maker = V1Maker();
  maker.tensors[1].name[0] = '\xFE';
  file = maker.make();
  expect_refused(file, "tensors[1].name", maker.places.records[1] + 16);
}

TEST(AltDamage, ReportsManyBadPiecesOnce) {
  V1Maker maker;
  for (Token& token : maker.tokens) token.piece = "\xFF";
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  const Error* error = find(result.found.errors, "tokenizer.tokens[0].piece");
  ASSERT_NE(error, nullptr) << result.text();
  EXPECT_NE(error->message.find("9 pieces"), std::string::npos) << error->message;
  EXPECT_EQ(result.found.errors.size(), 2U) << result.text();  // and repeated
}

TEST(AltDamage, ToleratesEmptyAndRepeatedPieces) {
  V1Maker maker;
  maker.tokens[6].piece = "";
  const File file = maker.make();
  expect_tolerated(file, "tokenizer.tokens[6].piece", maker.places.tokens[6] + 4);
  maker.tokens[6].piece = "<s>";
  expect_tolerated(maker.make(), "tokenizer.tokens[6].piece", kNoOffset);
}

TEST(AltDamage, SpecialIdsMustBeInTheVocabulary) {
  V1Maker maker;
  maker.bos = 9;
  maker.unk = 100;
  const Read result = read(maker.make());
  ASSERT_TRUE(result.model);
  EXPECT_EQ(find(result.found.errors, "tokenizer.bos_id")->byte_offset,
            maker.places.tokenizer + 20);
  EXPECT_EQ(find(result.found.errors, "tokenizer.unk_id")->byte_offset,
            maker.places.tokenizer + 32);
  EXPECT_FALSE(result.model->tokenizer->bos_id);
}

TEST(AltDamage, RejectsAnEmptyVocabulary) {
  V1Maker maker;
  maker.tokens.clear();
  maker.bos = maker.eos = maker.unk = -1;
  EXPECT_NE(find(read(maker.make()).found.errors, "tokenizer.vocab_size"), nullptr);
}

TEST(AltDamage, ReportsAWrongTensorCount) {
  V1Maker maker;
  File file = maker.make();
  put_at(file, maker.places.tensors + 16, int64_t{12});
  expect_refused(file, "tensors.tensor_count", maker.places.tensors + 16);
  put_at(file, maker.places.tensors + 16, int64_t{10});
  expect_refused(file, "tensors.tensor_count", maker.places.tensors + 16);
}

TEST(AltDamage, DimensionsMustBeOneToEight) {
  V1Maker maker;
  maker.make();
  for (const int32_t rank : {0, 9, INT32_MAX}) {
    expect_refused(changed(
                       maker, [&] { return maker.places.records[0]; }, rank),
                   "tensors[0].n_dims", maker.places.records[0]);
  }
  expect_refused(changed(
                     maker, [&] { return maker.places.records[0] + 16; }, 0),
                 "tensors[0].shape[1]", maker.places.records[0] + 16);
}

TEST(AltDamage, RejectsAProductOfMoreThan64Bits) {
  V1Maker maker;
  maker.tensors[0].shape = {1, 1, 1, 1};
  File file = maker.make();
  for (uint64_t i = 0; i < 4; ++i) put_at(file, maker.places.records[0] + 12 + 4 * i, INT32_MAX);
  EXPECT_EQ(expect_refused(file, "tensors[0].shape", maker.places.records[0] + 12).code,
            ErrorCode::Overflow);
}

TEST(AltDamage, ReportsMissingTensors) {
  V1Maker maker;
  maker.tensors.erase(maker.tensors.begin() + 8);
  const Read result = read(maker.make());
  ASSERT_EQ(result.found.errors.size(), 1U) << result.text();
  EXPECT_NE(result.found.errors[0].message.find("up_proj"), std::string::npos);
}

TEST(AltDamage, NamesMustBeThereOnce) {
  V1Maker maker;
  maker.tensors[4].name = maker.tensors[3].name;
  const Read result = read(maker.make());
  EXPECT_NE(find(result.found.errors, "tensors[4].name"), nullptr) << result.text();
  maker = V1Maker();
  maker.make();
  expect_refused(changed(
                     maker, [&] { return maker.places.records[2] + 4; }, 0),
                 "tensors[2].name_length", maker.places.records[2] + 4);
}

TEST(AltDamage, IgnoresUnknownTensors) {
  V1Maker maker;
  maker.tensors.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", {1}});
  EXPECT_TRUE(read(maker.make()).clean()) << read(maker.make()).text();
}

TEST(AltDamage, HeadsMustDivide) {
  V1Maker maker;
  maker.n_heads = 4;
  maker.n_kv_heads = 3;
  maker.head_size = 1;
  File file = maker.make();
  expect_refused(file, "config.num_key_value_heads", maker.field(4));
  maker = V1Maker();
  maker.n_heads = 4;
  maker.head_size = 1;
  file = maker.make();
  expect_refused(file, "config.head_size", maker.field(8));  // odd
}

TEST(AltDamage, ReportsImpossibleParameters) {
  const std::pair<int32_t V1Maker::*, std::string_view> kFields[] = {
      {&V1Maker::hidden_size, "config.hidden_size"},
      {&V1Maker::n_layers, "config.num_hidden_layers"},
      {&V1Maker::n_heads, "config.num_attention_heads"},
      {&V1Maker::context_length, "config.context_length"}};
  for (const auto& [field, path] : kFields) {
    for (const int32_t wrong : {0, -3}) {
      V1Maker maker;
      maker.*field = wrong;
      const Read result = read_leniently(maker.make());
      EXPECT_NE(find(result.found.errors, path), nullptr) << path << " " << result.text();
    }
  }
}

TEST(AltDamage, RejectsAnotherArchitectureByName) {
  for (const char* type : {"gemma", "resnet"}) {
    V1Maker maker;
    maker.model_type = type;
    const Error error = expect_refused(maker.make(), "config.model_type", 52);
    EXPECT_EQ(error.code, ErrorCode::Unsupported);
    EXPECT_NE(error.message.find(type), std::string::npos);
  }
  V1Maker llama;
  llama.model_type = "llama";
  EXPECT_TRUE(read(llama.make()).clean());
}

}  // namespace
}  // namespace ambry::formats::alt
