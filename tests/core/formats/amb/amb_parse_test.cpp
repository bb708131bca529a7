#include "formats/amb/amb_parse.h"
#include "formats/expect_format.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/amb/read_amb.h"
#include "model/decoder/decoder_config.h"

namespace ambry::formats::amb {
namespace {

using io::Strictness;
using testing::amb;
using testing::AmbMaker;
using testing::expect_clean;
using testing::expect_error;
using testing::expect_tolerated;
using testing::File;
using testing::has;
using testing::Outcome;
using testing::put_at;
using testing::read;
using testing::tensor;
using testing::tiny_config;

TEST(Amb, ReadsAValidFile) {
  AmbMaker maker;
  const File file = maker.make();
  expect_clean(file);
  const model::Model model = *read(file).model;
  EXPECT_EQ(model.format, "amb");
  EXPECT_EQ(model.version, "1");
  EXPECT_EQ(model.metadata.find("name")->string(), "tiny");
  EXPECT_EQ(model.config.find("n_embd")->uint(), 8U);
  EXPECT_EQ(model.metadata_text, maker.metadata);
  EXPECT_TRUE(model.config_text.starts_with(maker.config));
  ASSERT_EQ(model.tensors.size(), 11U);
  EXPECT_EQ(model.tensors[1].name, "model.layers.0.input_layernorm.weight");
  EXPECT_EQ(model.tensors[1].offset, maker.places.data[1]);
  EXPECT_EQ(model.tensors[1].bytes, 32U);
  EXPECT_EQ(model.tensors[1].index_offset, maker.places.records[1]);
  EXPECT_EQ(model.regions[3].name, "tokenizer");
  EXPECT_EQ(model.regions[3].offset, maker.places.tokenizer);
  EXPECT_EQ(model.regions.size(), 4U + 11U);
}

// core/formats/amb/README.md#padding: it counts from the start of the file; writers let both
// readings coincide.
TEST(AmbPadding, ToleratesWeightsThatAreNotAlignedTo64Bytes) {
  AmbMaker maker;
  maker.shift = 8;
  expect_tolerated(maker.make(), "header.config_size", kConfigSizeAt);
}

TEST(AmbPadding, CountsFromTheFileElseFromTheSection) {
  AmbMaker maker;
  maker.shift = 3;
  const Outcome absolute = read(maker.make(), Strictness::Lenient);
  ASSERT_TRUE(absolute.accepted());
  EXPECT_FALSE(has(absolute.found.warnings, "weights"));
  maker.layout = 5;
  const File file = maker.make();
  const Outcome relative = read(file, Strictness::Lenient);
  ASSERT_TRUE(relative.accepted());
  EXPECT_TRUE(has(relative.found.warnings, "weights"));
  EXPECT_EQ(relative.model->tensors[10].offset, maker.places.data[10]);
  EXPECT_FALSE(read(file).accepted());
}

TEST(AmbPadding, FollowsTheLastTensorToo) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("odd", {3}, 3, 0));
  maker.final_padding = false;
  const File file = maker.make();
  expect_tolerated(file, "tensors[11].padding", file.size());
}

TEST(AmbPadding, IsZeros) {
  AmbMaker maker;
  maker.tensors.insert(maker.tensors.begin(), tensor("odd", {3}, 3, 0));
  File file = maker.make();
  const uint64_t at = maker.places.data[0] + maker.tensors[0].data.size();
  ASSERT_LT(at, maker.places.records[1]);
  file[at] = 1;
  expect_tolerated(file, "tensors[0].padding", at);
}

TEST(AmbPadding, IsRefusedWhenIncomplete) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("odd", {3}, 3, 0));
  File file = maker.make();
  file.pop_back();
  put_at(file, kWeightsSizeAt, file.size() - maker.places.weights);
  EXPECT_FALSE(read(file, Strictness::Lenient).accepted());
}

// core/formats/amb/README.md#section-sizes
TEST(AmbSections, AddUpToTheFile) {
  AmbMaker maker;
  File file = maker.make();
  const uint64_t end = file.size();
  file.resize(end + 5);
  expect_tolerated(file, "end", end);
  file.resize(end - 1);
  expect_error(file, ErrorCode::Truncated, "header.weights_size", kWeightsSizeAt);
  file.resize(maker.places.tokenizer - 1);
  expect_error(file, ErrorCode::Truncated, "header.config_size", kConfigSizeAt);
  file = maker.make();
  put_at(file, kWeightsSizeAt, UINT64_MAX - 10);
  expect_error(file, ErrorCode::Overflow, "header.weights_size", kWeightsSizeAt);
}

// core/formats/amb/README.md#checksums
TEST(AmbChecksums, CoverConfigTokenizerAndWeights) {
  AmbMaker maker;
  maker.checksums = true;
  File file = maker.make();
  expect_clean(file);
  model::Model model = *read(file).model;
  ASSERT_EQ(model.checksums.size(), 3U);
  EXPECT_TRUE(formats::testing::checksums_hold(model, file));
  EXPECT_EQ(model.checksums[0].begin, maker.places.config);
  EXPECT_EQ(model.checksums[2].end, file.size());
  EXPECT_EQ(model.checksums[2].path, "metadata.checksums.weights");
  for (const auto& crc : model.checksums) {
    const auto digits = as_text(file).substr(crc.field_offset, 8);
    EXPECT_EQ(std::stoul(std::string(digits), nullptr, 16), crc.expected);
  }
  for (size_t at = maker.places.config; at < file.size(); at += 7) {
    file[at] ^= 1;
    const Outcome outcome = read(file, Strictness::Lenient);
    if (outcome.accepted()) {
      EXPECT_FALSE(formats::testing::checksums_hold(*outcome.model, file)) << at;
    }
    file[at] ^= 1;
  }
}

TEST(AmbChecksums, MustMatchTheFlag) {
  AmbMaker maker;
  maker.flags = kFlagChecksums;
  expect_error(maker.make(), ErrorCode::NotFound, "header.flags", kFlagsAt);

  maker.checksums = true;
  const File good = maker.make();
  const auto with = [&](std::string_view from, std::string_view to) {
    File file = good;
    const size_t at = as_text(file).find(from);
    std::ranges::copy(to, file.begin() + static_cast<std::ptrdiff_t>(at));
    return file;
  };
  const auto offset_of = [&](std::string_view text) { return as_text(good).find(text); };
  expect_error(with(R"("crc32")", R"("md5sm")"), ErrorCode::Unsupported,
               "metadata.checksums.algorithm", offset_of(R"("crc32")"));
  const uint64_t digits = offset_of(R"("config": ")") + 10;
  File file = good;
  file[digits + 3] = 'g';
  expect_error(file, ErrorCode::BadValue, "metadata.checksums.config", digits);
  expect_error(with("\"weights\"", "\"weightz\""), ErrorCode::NotFound,
               "metadata.checksums.weights", offset_of(R"({"algorithm")"));
  file = good;
  put_at(file, kFlagsAt, uint16_t{0});
  expect_tolerated(file, "metadata.checksums", offset_of(R"({"algorithm")"));
}

TEST(AmbHeader, ToleratesReservedFlags) {
  AmbMaker maker;
  maker.flags = 0x8000;
  expect_tolerated(maker.make(), "header.flags", kFlagsAt);
}

TEST(AmbHeader, RefusesOtherVersions) {
  File file = testing::make_amb();
  file[kVersionAt] = 2;
  expect_error(file, ErrorCode::UnsupportedVersion, "header.version", kVersionAt);
  EXPECT_NE(read(file).model.error().message.find("version 2"), std::string::npos);
}

// core/formats/amb/README.md#json
TEST(AmbJson, SectionsAreObjects) {
  const auto error_of = [](std::string metadata) {
    AmbMaker maker;
    maker.metadata = std::move(metadata);
    const Outcome outcome = read(maker.make(), Strictness::Lenient);
    return outcome.found.errors.empty() ? Error() : outcome.found.errors[0];
  };
  EXPECT_EQ(error_of("[1]").path, "metadata");
  EXPECT_EQ(error_of("[1]").byte_offset, kHeaderBytes);
  EXPECT_EQ(error_of(R"({"a": 1, "a": 2})").byte_offset, kHeaderBytes + 14);
  EXPECT_EQ(error_of(R"({"a": NaN})").code, ErrorCode::BadValue);
  EXPECT_EQ(error_of(R"({"a": Infinity})").code, ErrorCode::BadValue);
  EXPECT_EQ(error_of(R"({"a": 1e999})").code, ErrorCode::Overflow);
  EXPECT_EQ(error_of("\xEF\xBB\xBF{}").code, ErrorCode::BadValue);
  EXPECT_EQ(error_of(R"({"a": ")"
                     "\xFF"
                     R"("})")
                .code,
            ErrorCode::BadValue);
  EXPECT_EQ(error_of(std::string(65, '[')).code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error_of(R"({"name": "x"}x)").code, ErrorCode::BadValue);
  AmbMaker maker;
  maker.metadata += " \t\r\n";
  expect_clean(maker.make());
}

TEST(AmbJson, NoMetadataIsAnEmptyObject) {
  AmbMaker maker;
  maker.metadata.clear();
  const Outcome outcome = read(maker.make());
  ASSERT_TRUE(outcome.accepted());
  EXPECT_TRUE(outcome.model->metadata.is_object());
}

TEST(AmbJson, FaultsOfAllSectionsAreReported) {
  AmbMaker maker;
  maker.metadata = "{";
  maker.config = "{]";
  maker.tokenizer[0] = 9;
  maker.tensors[3].dtype = 99;
  const Outcome outcome = read(maker.make(), Strictness::Lenient);
  ASSERT_TRUE(outcome.model);
  ASSERT_EQ(outcome.found.errors.size(), 4U);
  EXPECT_EQ(outcome.found.errors[2].path, "tokenizer.type");
  EXPECT_EQ(outcome.found.errors[3].path, "tensors[3].dtype");
  EXPECT_EQ(outcome.found.errors[3].byte_offset, maker.places.sizes[3] - 1);
}

// core/formats/amb/README.md#required-keys
TEST(AmbCheck, WarnsOfAMissingName) {
  AmbMaker maker;
  maker.metadata = "{}";
  const Outcome outcome = read(maker.make());
  EXPECT_TRUE(outcome.accepted());
  EXPECT_TRUE(has(outcome.found.warnings, "metadata.name"));
}

TEST(AmbCheck, AcceptsAnEmptyConfigThatCannotRun) {
  AmbMaker maker;
  maker.config = "{}";
  const Outcome outcome = read(maker.make());
  EXPECT_TRUE(outcome.accepted());
  EXPECT_TRUE(has(outcome.found.warnings, "config.architecture"));
  maker.config = R"({"architecture": "rwkv"})";
  EXPECT_TRUE(read(maker.make()).accepted());
}

TEST(AmbCheck, KvHeadsDefaultToHeads) {
  const Outcome outcome = read(testing::make_amb());
  io::Diagnostics found;
  const auto config = model::decoder_config(*outcome.model, found);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->n_kv_heads, 2U);
  EXPECT_EQ(config->n_ff, 8U);
}

// core/formats/amb/README.md#config-quant
TEST(AmbCheck, ConfigQuantOnlyInforms) {
  AmbMaker maker;
  maker.tensors = testing::tiny_tensors(6);
  maker.config = tiny_config(R"(, "quant": {"type": "int4_block", "block_size": 128})");
  const Outcome outcome = read(maker.make());
  ASSERT_TRUE(outcome.accepted());
  EXPECT_TRUE(has(outcome.found.warnings, "config.quant.block_size"));
  EXPECT_EQ(outcome.model->tensors[2].quantization->block_size, 8U);
}

TEST(AmbCheck, TensorsMustFitTheConfig) {
  AmbMaker maker;
  maker.config = tiny_config(R"(, "n_ff": 16, "something_new": [1, 2])");
  const Outcome outcome = read(maker.make());
  EXPECT_EQ(outcome.found.errors.size(), 3U);
  EXPECT_TRUE(has(outcome.found.errors, "tensors[9].shape"));
  maker.config = tiny_config(R"(, "n_kv_heads": 3)");
  EXPECT_TRUE(has(read(maker.make()).found.errors, "config.n_kv_heads"));
  maker.config = tiny_config();
  maker.tensors.pop_back();
  EXPECT_TRUE(has(read(maker.make()).found.errors, "tensors"));
}

// A remote file of 300 tensors: one request a record, none for the data.
TEST(AmbRemote, AsksForTheHeadsOfRecordsOnly) {
  AmbMaker maker;
  maker.config = "{}";
  maker.tensors.clear();
  for (int i = 0; i < 300; ++i) {
    maker.tensors.push_back(tensor("model.layers." + std::to_string(i) + ".mlp.down_proj.weight",
                                   {64, 32}, static_cast<uint8_t>(i % 2 == 0 ? 6 : 1), 32));
  }
  const File file = maker.make();
  io::PartialSource source(file.size());
  size_t requests = 0;
  for (;; ++requests) {
    ASSERT_LT(requests, 1000U);
    const Outcome outcome =
        formats::testing::read(source, amb(), {Strictness::Strict, {.vocabulary = false}});
    if (outcome.model) {
      EXPECT_EQ(outcome.model->tensors.size(), 300U);
      break;
    }
    const Error& need = outcome.model.error();
    ASSERT_EQ(need.code, ErrorCode::NeedBytes);
    EXPECT_LE(need.need_size, 512U);
    ASSERT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
  EXPECT_LE(requests, 305U);
  EXPECT_LT(source.loaded_bytes(), 300U * 300);
}

}  // namespace
}  // namespace ambry::formats::amb
