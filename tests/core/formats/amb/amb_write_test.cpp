#include "formats/amb/amb_write.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/amb/make_amb.h"
#include "formats/amb/read_amb.h"
#include "formats/conformance.h"
#include "formats/stream_layout.h"

namespace ambry::formats::amb {
namespace {

using formats::testing::Outcome;
using io::Strictness;
using testing::AmbMaker;
using testing::File;
using testing::read;
using testing::tensor;
using testing::tiny_config;

// The file that reading leniently and writing makes of `file`.
File rewritten(const File& file) {
  const Outcome original = read(file, Strictness::Lenient);
  EXPECT_TRUE(original.accepted());
  model::Model model = *original.model;
  const auto layout = lay_out(model);
  EXPECT_TRUE(layout) << describe(layout.error());
  return layout ? formats::testing::stream(*layout, *original.model, file) : File();
}

void expect_strict(const File& file) {
  const Outcome outcome = read(file);
  ASSERT_TRUE(outcome.model);
  for (const Error& e : outcome.found.errors) ADD_FAILURE() << describe(e);
  EXPECT_TRUE(formats::testing::checksums_hold(*outcome.model, file));
}

TEST(AmbWrite, KeepsStrictFilesByteForByte) {
  std::vector<AmbMaker> makers(8);
  makers[1].checksums = true;
  makers[2].tensors = testing::mixed_tensors();
  makers[2].checksums = true;
  makers[3].tokenizer = testing::sentencepiece_tokenizer();
  makers[4].tokenizer = testing::wordpiece_tokenizer();
  makers[5].tokenizer = testing::custom_tokenizer();
  makers[6].tokenizer.clear();
  makers[6].metadata = "{ \"name\" : \"spaced\\u0020out\" }\n";
  makers[7].tensors.clear();
  makers[7].config = "{}";
  for (AmbMaker& maker : makers) {
    const File file = maker.make();
    EXPECT_EQ(rewritten(file), file);
  }
}

// core/formats/amb/README.md#writing: R3 to R5 are made R1; the same as if they had been written so
// at first.
TEST(AmbWrite, MakesOtherLayoutsStrict) {
  AmbMaker maker;
  maker.tensors = testing::mixed_tensors();
  maker.config = tiny_config(R"(, "quant": {"block_size": 8})");
  const File strict = maker.make();
  for (const int layout : {3, 4, 5}) {
    maker.layout = layout;
    maker.shift = layout == 5 ? 1 : 0;
    maker.final_padding = layout != 4;
    EXPECT_EQ(rewritten(maker.make()), strict) << layout;
  }
}

TEST(AmbWrite, RejectsBlocksAcrossRows) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("short", {3, 12}, 6, 8, true));
  model::Model model = *read(maker.make(), Strictness::Lenient).model;
  const auto layout = lay_out(model);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(layout.error().path, "tensors[11]");
}

TEST(AmbWrite, FillsUpTheConfig) {
  AmbMaker maker;
  maker.shift = 17;
  const File written = rewritten(maker.make());
  expect_strict(written);
  maker.shift = 0;
  EXPECT_EQ(written.size() % 8, 0U);
  EXPECT_EQ(read(written).model->tensors[0].index_offset % 64, 0U);
}

// Files that come from elsewhere get checksums, whatever was under that key.
TEST(AmbWrite, GivesChecksumsToModelsFromElsewhere) {
  AmbMaker maker;
  maker.metadata = R"({"name": "tiny", "checksums": 7})";
  const File file = maker.make();
  model::Model original = *read(file, Strictness::Lenient).model;
  model::Model model = original;
  model.format = "gguf";
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout) << describe(layout.error());
  const File written = formats::testing::stream(*layout, original, file);
  expect_strict(written);
  EXPECT_EQ(read(written).model->checksums.size(), 3U);
}

// Digits that are escaped in the metadata cannot be filled in where they stand.
TEST(AmbWrite, RewritesEscapedChecksums) {
  AmbMaker maker;
  maker.checksums = true;
  maker.metadata = R"({"name": "x"})";
  File file = maker.make();
  const std::string plain = R"("config": ")";
  const size_t at = as_text(file).find(plain) + plain.size();
  const std::string digit(1, static_cast<char>(file[at]));
  const std::string escaped = "\\u003" + digit;
  if (digit[0] > '9') GTEST_SKIP() << "the first digit is a letter";
  AmbMaker other;
  other.metadata = std::string(as_text(file).substr(28, maker.places.config - 28));
  other.metadata.replace(at - 28, 1, escaped);
  other.flags = kFlagChecksums;
  expect_strict(rewritten(other.make()));
}

TEST(AmbWrite, FollowsChangesOfMetadataAndConfig) {
  AmbMaker maker;
  const File file = maker.make();
  const model::Model original = *read(file).model;
  model::Model model = original;
  model.metadata.set("name", "renamed");
  model.config.set("extra", 1);
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout);
  const File written = formats::testing::stream(*layout, original, file);
  expect_strict(written);
  EXPECT_EQ(read(written).model->metadata.find("name")->string(), "renamed");
  EXPECT_NE(read(written).model->config.find("extra"), nullptr);
}

// Ids past two bytes go to the config.
TEST(AmbWrite, PutsLargeIdsIntoTheConfig) {
  AmbMaker maker;
  maker.config = R"({"n_vocab": 128256})";
  const File file = maker.make();
  const model::Model original = *read(file).model;
  model::Model model = original;
  model.tokenizer->bos_id = 128'000;
  model.tokenizer->eos_id = 128'001;
  model.tokenizer->pad_id = 65'535;
  const auto layout = lay_out(model);
  ASSERT_TRUE(layout);
  const model::Model again = *read(formats::testing::stream(*layout, original, file)).model;
  EXPECT_EQ(again.tokenizer->bos_id, 128'000U);
  EXPECT_EQ(again.tokenizer->eos_id, 128'001U);
  EXPECT_EQ(again.tokenizer->pad_id, 65'535U);
  EXPECT_EQ(again.config.find("tokenizer")->find("eos_id")->uint(), 128'001U);
}

TEST(AmbWrite, RejectsModelsThatAmbCannotStore) {
  const model::Model good = *read(testing::make_amb()).model;
  const auto refused = [&](auto change) {
    model::Model model = good;
    change(model);
    const auto layout = lay_out(model);
    EXPECT_FALSE(layout);
    return layout ? Error() : layout.error();
  };
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].name.clear(); }).path, "tensors[1]");
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].name = m.tensors[0].name; }).path,
            "tensors[1].name");
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].name.assign(65'536, 'x'); }).code,
            ErrorCode::LimitExceeded);
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].dtype = tensor::DType::F64; }).code,
            ErrorCode::Unsupported);
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].shape = {uint64_t{1} << 32}; }).code,
            ErrorCode::Unsupported);
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].shape = {0}; }).code, ErrorCode::Unsupported);
  EXPECT_EQ(refused([](auto& m) { m.tensors[1].shape = {UINT32_MAX, UINT32_MAX}; }).code,
            ErrorCode::Overflow);
  EXPECT_EQ(refused([](auto& m) { m.tokenizer->kind = model::TokenizerKind::Words; }).code,
            ErrorCode::Unsupported);
  EXPECT_EQ(
      refused([](auto& m) { m.tokenizer->kind = model::TokenizerKind::SentencePieceBpe; }).code,
      ErrorCode::Unsupported);
  EXPECT_EQ(refused([](auto& m) {
              m.tokenizer->vocabulary = {};
              m.tokenizer->n_tokens = 8;
            }).code,
            ErrorCode::BadValue);
  EXPECT_EQ(
      refused([](auto& m) { m.tokenizer->vocabulary.push_back(std::string(65'536, 'x')); }).code,
      ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::formats::amb
