#include "formats/amb/weights_section.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/amb/read_amb.h"

namespace ambry::formats::amb {
namespace {

using io::Strictness;
using testing::AmbMaker;
using testing::expect_clean;
using testing::expect_error;
using testing::File;
using testing::has;
using testing::Outcome;
using testing::put_at;
using testing::read;
using testing::tensor;
using testing::tiny_config;
using testing::values_of;

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

// core/formats/amb/README.md#shape
TEST(AmbShape, HasUpToEightDimensions) {
  AmbMaker maker;
  maker.tensors.push_back(tensor("scalar", {}));
  maker.tensors.push_back(tensor("deep", {1, 2, 1, 2, 1, 2, 1, 2}));
  expect_clean(maker.make());
  maker.tensors.push_back(tensor("deeper", {1, 1, 1, 1, 1, 1, 1, 1, 1}));
  const File file = maker.make();
  expect_error(file, ErrorCode::BadValue, "tensors[13].ndim", maker.places.records[13] + 2 + 6);
}

TEST(AmbShape, IsCheckedBeforeAnythingIsReserved) {
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

// core/formats/amb/README.md#names
TEST(AmbNames, AreUniqueUtf8) {
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

TEST(AmbNames, MayLackPrefixAndEnding) {
  AmbMaker maker;
  for (testing::Tensor& t : maker.tensors) {
    t.name = "transformer." + t.name.substr(6, t.name.size() - 6 - 7);
  }
  expect_clean(maker.make());
}

// core/formats/amb/README.md#linear-layout
TEST(AmbLinearLayout, IsOutInUnlessStated) {
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

// core/formats/amb/README.md#quant-prefix
TEST(AmbQuantPrefix, IsPartOfTheData) {
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
  file[at + 3] = 0x81;  // a minimum beside each scale
  expect_error(file, ErrorCode::Mismatch, "tensors[2].data_size", maker.places.sizes[2]);
  file[at + 3] = 0x82;
  expect_error(file, ErrorCode::BadValue, "tensors[2].scale_type", at + 3);
}

// core/formats/amb/README.md#blocks
TEST(AmbBlocks, DoNotCrossRowsUnlessOnlyThatFits) {
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

// core/formats/amb/README.md#adaptive-mask
TEST(AmbAdaptiveMask, NamesDataTypes) {
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

// core/formats/amb/README.md#other-layouts: the same model in every layout, with the same values.
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

}  // namespace
}  // namespace ambry::formats::amb
