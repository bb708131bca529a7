#include "formats/amb/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/amb/make_amb.h"
#include "formats/conformance.h"
#include "model/decoder_config.h"
#include "tensor/stream_decoder.h"

namespace ambry::formats::amb {
namespace {

using formats::testing::Outcome;
using formats::testing::Reading;
using io::Strictness;
using model::TokenizerKind;
using testing::AmbMaker;
using testing::File;
using testing::put_at;
using testing::tensor;
using testing::tiny_config;

const Format& amb() { return *find_format("amb"); }

Outcome read(const File& file, Strictness strictness = Strictness::Strict,
             model::ReadOptions options = {}) {
  return formats::testing::read(file, amb(), Reading{strictness, options});
}

bool has(const std::vector<Error>& problems, std::string_view path) {
  return std::ranges::any_of(problems, [&](const Error& e) { return e.path == path; });
}

void expect_clean(const File& file) {
  const Outcome outcome = read(file);
  ASSERT_TRUE(outcome.model) << describe(outcome.model.error());
  for (const Error& e : outcome.found.errors) ADD_FAILURE() << describe(e);
  for (const Error& e : outcome.found.warnings) ADD_FAILURE() << describe(e);
}

// The file's only error, fatal or not, when read leniently.
void expect_error(const File& file, ErrorCode code, std::string_view path, uint64_t offset) {
  const Outcome outcome = read(file, Strictness::Lenient);
  ASSERT_FALSE(outcome.accepted());
  const Error& error = outcome.model ? outcome.found.errors.front() : outcome.model.error();
  EXPECT_EQ(error.code, code) << describe(error);
  EXPECT_EQ(error.path, path) << describe(error);
  EXPECT_EQ(error.byte_offset, offset) << describe(error);
}

// A strict error and lenient warning at this path, and nothing else wrong.
void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  const Outcome strict = read(file);
  ASSERT_TRUE(strict.model) << describe(strict.model.error());
  ASSERT_EQ(strict.found.errors.size(), 1U);
  EXPECT_EQ(strict.found.errors[0].path, path);
  EXPECT_EQ(strict.found.errors[0].byte_offset, offset);
  const Outcome lenient = read(file, Strictness::Lenient);
  ASSERT_TRUE(lenient.accepted());
  EXPECT_TRUE(has(lenient.found.warnings, path));
}

std::vector<float> values_of(const File& file, const model::TensorEntry& entry) {
  auto decoder = tensor::StreamDecoder::create(entry.dtype, entry.shape, entry.quantization,
                                               entry.bytes, entry.offset);
  EXPECT_TRUE(decoder) << describe(decoder.error());
  std::vector<float> values(static_cast<size_t>(*entry.shape.count()));
  Bytes bytes = Bytes(file).subspan(entry.offset, entry.bytes);
  EXPECT_EQ(*decoder->decode(bytes, values), values.size());
  return values;
}

TEST(Amb, ReadsAWholeFileWithoutComplaint) {
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

TEST(Amb, ReadsAllNineDataTypes) {
  AmbMaker maker;
  maker.tensors = testing::mixed_tensors();
  const File file = maker.make();
  expect_clean(file);
  const model::Model model = *read(file).model;
  AmbMaker plain;
  const File plain_file = plain.make();
  const model::Model plain_model = *read(plain_file).model;
  std::vector<bool> seen(kDTypes.size());
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    const model::TensorEntry& entry = model.tensors[i];
    seen[*dtype_code(entry.dtype)] = true;
    EXPECT_EQ(entry.quantization.has_value(), !tensor::is_plain(entry.dtype));
    if (!entry.quantization) continue;
    const auto got = values_of(file, entry);
    const auto wanted = values_of(plain_file, plain_model.tensors[i]);
    for (size_t k = 0; k < got.size(); ++k) ASSERT_NEAR(got[k], wanted[k], 0.13) << entry.name;
  }
  EXPECT_TRUE(std::ranges::all_of(seen, [](bool b) { return b; }));
}

// Row 1: the padding counts from the start of the file; writers let both readings coincide.
TEST(AmbRow1, WeightsStartAtAMultipleOf64) {
  AmbMaker maker;
  maker.shift = 8;
  expect_tolerated(maker.make(), "header.config_size", kConfigSizeAt);
}

TEST(AmbRow1, PaddingIsAbsoluteElseRelative) {
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

// Row 2.
TEST(AmbRow2, PaddingFollowsTheLastTensorToo) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("odd", {3}, 3, 0));
  maker.final_padding = false;
  const File file = maker.make();
  expect_tolerated(file, "tensors[11].padding", file.size());
}

TEST(AmbRow2, PaddingIsZeros) {
  AmbMaker maker;
  maker.tensors.insert(maker.tensors.begin(), tensor("odd", {3}, 3, 0));
  File file = maker.make();
  const uint64_t at = maker.places.data[0] + maker.tensors[0].data.size();
  ASSERT_LT(at, maker.places.records[1]);
  file[at] = 1;
  expect_tolerated(file, "tensors[0].padding", at);
}

TEST(AmbRow2, PartOfThePaddingIsNoPadding) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("odd", {3}, 3, 0));
  File file = maker.make();
  file.pop_back();
  put_at(file, kWeightsSizeAt, file.size() - maker.places.weights);
  EXPECT_FALSE(read(file, Strictness::Lenient).accepted());
}

// Row 4.
TEST(AmbRow4, SectionsAddUpToTheFile) {
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

// Row 5.
TEST(AmbRow5, ChecksumsCoverConfigTokenizerAndWeights) {
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

TEST(AmbRow5, ChecksumsMustBeWhatTheFlagSays) {
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

TEST(AmbRow5, OtherFlagsAreReserved) {
  AmbMaker maker;
  maker.flags = 0x8000;
  expect_tolerated(maker.make(), "header.flags", kFlagsAt);
}

// Row 6.
TEST(AmbRow6, VersionIsOne) {
  File file = testing::make_amb();
  file[kVersionAt] = 2;
  expect_error(file, ErrorCode::UnsupportedVersion, "header.version", kVersionAt);
  EXPECT_NE(read(file).model.error().message.find("version 2"), std::string::npos);
}

// Row 7.
TEST(AmbRow7, TextsAreJsonObjects) {
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

TEST(AmbRow7, NoMetadataIsAnEmptyObject) {
  AmbMaker maker;
  maker.metadata.clear();
  const Outcome outcome = read(maker.make());
  ASSERT_TRUE(outcome.accepted());
  EXPECT_TRUE(outcome.model->metadata.is_object());
}

TEST(AmbRow7, FaultsOfAllSectionsAreReported) {
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

// Row 8.
TEST(AmbRow8, ANameIsMissed) {
  AmbMaker maker;
  maker.metadata = "{}";
  const Outcome outcome = read(maker.make());
  EXPECT_TRUE(outcome.accepted());
  EXPECT_TRUE(has(outcome.found.warnings, "metadata.name"));
}

TEST(AmbRow8, AConfigMayBeEmptyButCannotRun) {
  AmbMaker maker;
  maker.config = "{}";
  const Outcome outcome = read(maker.make());
  EXPECT_TRUE(outcome.accepted());
  EXPECT_TRUE(has(outcome.found.warnings, "config.architecture"));
  maker.config = R"({"architecture": "rwkv"})";
  EXPECT_TRUE(read(maker.make()).accepted());
}

TEST(AmbRow8, KvHeadsDefaultToHeads) {
  const Outcome outcome = read(testing::make_amb());
  io::Diagnostics found;
  const auto config = model::decoder_config(*outcome.model, found);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->n_kv_heads, 2U);
  EXPECT_EQ(config->n_ff, 8U);
}

// Row 9.
TEST(AmbRow9, TensorsHaveUpToEightDimensions) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("scalar", {}));
  maker.tensors.push_back(tensor("deep", {1, 2, 1, 2, 1, 2, 1, 2}));
  expect_clean(maker.make());
  maker.tensors.push_back(tensor("deeper", {1, 1, 1, 1, 1, 1, 1, 1, 1}));
  const File file = maker.make();
  expect_error(file, ErrorCode::BadValue, "tensors[13].ndim", maker.places.records[13] + 2 + 6);
}

TEST(AmbRow9, SizesAreCheckedBeforeAnythingElse) {
  AmbMaker maker;
  File file = maker.make();
  const uint64_t shape_at = maker.places.records[0] + 2 + 25 + 1;
  put_at(file, shape_at, uint32_t{0});
  expect_error(file, ErrorCode::BadValue, "tensors[0].shape[0]", shape_at);
  put_at(file, shape_at, uint32_t{9});
  expect_error(file, ErrorCode::Mismatch, "tensors[0].data_size", maker.places.sizes[0]);
  file = maker.make();
  put_at(file, maker.places.sizes[0], uint64_t{255});
  expect_error(file, ErrorCode::Mismatch, "tensors[0].data_size", maker.places.sizes[0]);
  put_at(file, maker.places.sizes[0], uint64_t{1} << 40);
  expect_error(file, ErrorCode::Truncated, "tensors[0].data_size", maker.places.sizes[0]);
  maker.tensors[0].shape = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  expect_error(maker.make(), ErrorCode::Overflow, "tensors[0].shape",
               maker.places.records[0] + 2 + 25 + 1);
}

// Row 10.
TEST(AmbRow10, NamesAreUniqueUtf8) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("model.norm.weight", {8}));
  File file = maker.make();
  expect_error(file, ErrorCode::BadValue, "tensors[11].name", maker.places.records[11]);
  maker.tensors[11].name = "\xFFtail";
  file = maker.make();
  expect_error(file, ErrorCode::BadValue, "tensors[11].name", maker.places.records[11] + 2);
  maker.tensors[11].name = "";
  file = maker.make();
  expect_error(file, ErrorCode::BadValue, "tensors[11].name_length", maker.places.records[11]);
  maker.tensors[11].name.assign(65'535, 'x');
  expect_clean(maker.make());
}

TEST(AmbRow10, NamesMayLackPrefixAndEnding) {
  AmbMaker maker;
  for (testing::Tensor& t : maker.tensors) {
    t.name = "transformer." + t.name.substr(6, t.name.size() - 6 - 7);
  }
  expect_clean(maker.make());
}

// Row 11.
TEST(AmbRow11, LinearLayersAreOutInUnlessSaid) {
  AmbMaker maker;
  maker.config = tiny_config(R"(, "n_kv_heads": 1)");
  maker.tensors[3] = tensor(maker.tensors[3].name, {8, 4});
  maker.tensors[4] = tensor(maker.tensors[4].name, {8, 4});
  const Outcome wrong = read(maker.make(), Strictness::Lenient);
  EXPECT_TRUE(has(wrong.found.errors, "tensors[3].shape"));
  maker.config = tiny_config(R"(, "n_kv_heads": 1, "linear_layout": "in_out")");
  expect_clean(maker.make());
  EXPECT_EQ(read(maker.make()).model->linear_layout, model::LinearLayout::InOut);
  maker.config = R"({"architecture": "gpt2"})";
  EXPECT_EQ(read(maker.make()).model->linear_layout, model::LinearLayout::InOut);
  maker.config = tiny_config(R"(, "linear_layout": "upside_down")");
  EXPECT_TRUE(has(read(maker.make()).found.errors, "config.linear_layout"));
}

// Rows 12, 13 and 14.
TEST(AmbRows12To14, ThePrefixIsPartOfTheData) {
  AmbMaker maker;
  maker.tensors = testing::tiny_tensors(6);
  const File good = maker.make();
  expect_clean(good);
  const model::TensorEntry entry = read(good).model->tensors[2];
  EXPECT_EQ(entry.offset, maker.places.data[2]);
  EXPECT_EQ(entry.bytes, 4U + 8 * 6);
  EXPECT_EQ(entry.quantization->block_size, 8U);
  EXPECT_EQ(entry.quantization->scale_type, tensor::DType::F16);
  EXPECT_EQ(entry.quantization->prefix_bytes, 4U);

  const uint64_t at = maker.places.data[2];
  File file = good;
  file[at] = 5;
  expect_error(file, ErrorCode::Mismatch, "tensors[2].quant_type", at);
  file = good;
  file[at + 1] = 7;
  expect_error(file, ErrorCode::BadValue, "tensors[2].block_size", at + 1);
  file = good;
  file[at + 3] = 2;
  expect_error(file, ErrorCode::BadValue, "tensors[2].scale_type", at + 3);
  file[at + 3] = 0;
  expect_error(file, ErrorCode::Mismatch, "tensors[2].data_size", maker.places.sizes[2]);
}

// Row 16.
TEST(AmbRow16, BlocksDoNotCrossRowsUnlessOnlyThatFits) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("short", {3, 12}, 6));
  expect_clean(maker.make());
  EXPECT_EQ(read(maker.make()).model->tensors[11].bytes, 4U + 6 * 6);
  maker.tensors[11] = tensor("short", {3, 12}, 6, 8, true);
  const File file = maker.make();
  EXPECT_TRUE(has(read(file).found.errors, "weights"));
  const Outcome outcome = read(file, Strictness::Lenient);
  ASSERT_TRUE(outcome.accepted());
  const model::TensorEntry& entry = outcome.model->tensors[11];
  EXPECT_TRUE(entry.quantization->across_rows);
  maker.tensors[11] = tensor("short", {36}, 6);
  const File flat = maker.make();
  EXPECT_EQ(values_of(file, entry), values_of(flat, read(flat).model->tensors[11]));
}

// Row 19.
TEST(AmbRow19, TheMaskNamesDataTypes) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("mixed", {2, 24}, 8));
  File file = maker.make();
  expect_clean(file);
  const uint64_t mask = maker.places.data[11] + 4;
  EXPECT_EQ(file[mask], 1);
  file[mask] = 2;
  expect_error(file, ErrorCode::BadValue, "tensors[11].mask[0]", mask);
  file[mask] = 4;
  expect_error(file, ErrorCode::Mismatch, "tensors[11].data_size", maker.places.sizes[11]);
}

// R1 to R5: the same model in every layout, with the same values.
TEST(AmbLayouts, AreRecoveredByTheirSizes) {
  AmbMaker maker;
  maker.tensors = testing::mixed_tensors();
  const File strict = maker.make();
  const model::Model wanted = *read(strict).model;
  maker.config =
      tiny_config(R"(, "quant": {"type": "int4_block", "block_size": 8, "scale_type": "fp16"})");
  for (const int layout : {3, 4, 5}) {
    maker.layout = layout;
    maker.shift = layout == 5 ? 5 : 0;
    const File file = maker.make();
    const Outcome outcome = read(file, Strictness::Lenient);
    ASSERT_TRUE(outcome.accepted()) << layout << describe(outcome.found.errors[0]);
    const auto told = std::ranges::find(outcome.found.warnings, "weights", &Error::path);
    ASSERT_NE(told, outcome.found.warnings.end());
    EXPECT_TRUE(told->message.starts_with("layout R" + std::to_string(layout))) << told->message;
    ASSERT_EQ(outcome.model->tensors.size(), wanted.tensors.size());
    for (size_t i = 0; i < wanted.tensors.size(); ++i) {
      EXPECT_EQ(values_of(file, outcome.model->tensors[i]), values_of(strict, wanted.tensors[i]));
    }
    EXPECT_FALSE(read(file).accepted()) << layout;
  }
}

TEST(AmbLayouts, R3NeedsTheConfig) {
  AmbMaker maker;
  maker.tensors = testing::tiny_tensors(6);
  maker.layout = 3;
  EXPECT_FALSE(read(maker.make(), Strictness::Lenient).accepted());
  maker.config = tiny_config(R"(, "quant": {"block_size": 8})");
  EXPECT_TRUE(read(maker.make(), Strictness::Lenient).accepted());
}

// Row 25.
TEST(AmbRow25, ConfigQuantOnlyInforms) {
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
  EXPECT_LT(source.held_bytes(), 300U * 300);
}

}  // namespace
}  // namespace ambry::formats::amb
