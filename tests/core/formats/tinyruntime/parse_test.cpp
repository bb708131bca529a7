#include "formats/tinyruntime/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/conformance.h"
#include "formats/tinyruntime/make_tinyruntime.h"

namespace ambry::formats::tinyruntime {
namespace {

using formats::testing::Outcome;
using io::Strictness;
using model::CnnVariant;
using testing::File;
using testing::make;
using testing::Maker;
using testing::put_at;
using testing::word;

Outcome read(const File& file, Strictness strictness = Strictness::Lenient) {
  return formats::testing::read(file, *find_format("tinyruntime"), {.strictness = strictness});
}

// The first thing that was found wrong.
const Error* first_error(const Outcome& outcome) {
  if (!outcome.model) return &outcome.model.error();
  return outcome.found.errors.empty() ? nullptr : &outcome.found.errors[0];
}

TEST(TinyRuntime, ReadsAVanillaFile) {
  Maker maker;
  const Outcome outcome = read(maker.make(), Strictness::Strict);
  ASSERT_TRUE(outcome.accepted());
  EXPECT_TRUE(outcome.found.warnings.empty());
  const model::Model& model = *outcome.model;
  EXPECT_EQ(model.format, "tinyruntime");
  EXPECT_EQ(model.version, "vanilla");
  ASSERT_EQ(model.tensors.size(), 14U);
  const auto* bias = model.find("conv.0.bias");
  ASSERT_NE(bias, nullptr);
  EXPECT_EQ(bias->shape, (tensor::Shape{20}));
  EXPECT_EQ(bias->offset, maker.places.data + 4 * 4000);
  EXPECT_EQ(bias->index_offset, maker.places.convs);
  EXPECT_EQ(model.find("conv.1.weight")->shape, (tensor::Shape{2, 20, 1, 1}));
  EXPECT_EQ(model.find("conv.1.bias"), nullptr);
  EXPECT_EQ(model.find("linear.0.weight")->shape, (tensor::Shape{5, 4}));
  const auto* variance = model.find("batchnorm.1.running_var");
  EXPECT_EQ(variance->offset + variance->bytes, model.file_bytes);
  ASSERT_EQ(model.regions.size(), 4U);
  EXPECT_EQ(model.regions[3].name, "batchnorm table");
}

TEST(TinyRuntime, ReadsDynamicQuantisation) {
  for (const bool asymmetric : {true, false}) {
    Maker maker;
    maker.variant = CnnVariant::Dq8;
    maker.asymmetric = asymmetric;
    const Outcome outcome = read(maker.make(), Strictness::Strict);
    ASSERT_TRUE(outcome.accepted());
    const model::Model& model = *outcome.model;
    EXPECT_EQ(model.version, "DQ8");
    EXPECT_EQ(model.find("conv.0.weight")->dtype, tensor::DType::I8);
    EXPECT_EQ(model.find("conv.0.bias")->offset, maker.places.data + 4000);
    const auto* scales = model.find("conv.0.weight.scale");
    EXPECT_EQ(scales->shape, (tensor::Shape{20, 1}));
    EXPECT_EQ(scales->offset, maker.places.floats);
    const auto* zero_points = model.find("conv.0.weight.zero_point");
    ASSERT_EQ(zero_points != nullptr, asymmetric);
    const uint64_t weight_words = asymmetric ? 40 : 20;
    if (asymmetric) {
      EXPECT_EQ(zero_points->dtype, tensor::DType::I32);
      EXPECT_EQ(zero_points->offset, maker.places.floats + word(20));
    }
    EXPECT_EQ(model.find("conv.0.bias.scale")->offset, maker.places.floats + word(weight_words));
  }
}

TEST(TinyRuntime, ReadsStaticQuantisation) {
  Maker maker;
  maker.variant = CnnVariant::Sq8;
  const Outcome outcome = read(maker.make(), Strictness::Strict);
  ASSERT_TRUE(outcome.accepted());
  const model::Model& model = *outcome.model;
  EXPECT_EQ(model.version, "SQ8");
  EXPECT_EQ(model.find("conv.0.bias")->dtype, tensor::DType::I32);
  EXPECT_EQ(model.find("conv.1.weight")->offset, maker.places.data + 4000 + 80);
  EXPECT_EQ(model.find("batchnorm.0.weight")->offset, maker.places.floats);
  const auto table = model::cnn_table(model.config);
  ASSERT_TRUE(table) << describe(table.error());
  EXPECT_EQ(table->activations.size(), 3U);
  EXPECT_EQ(table->convs[0].weight_scale, 0.0078125F);
  EXPECT_EQ(table->convs[0].out_zero_point, 64);
}

// A fault: one word changed, and what must be said about which byte.
struct Fault {
  std::string name;
  int rule;  // core/formats/tinyruntime/README.md#rules
  CnnVariant variant;
  uint64_t at;
  int32_t value;
  ErrorCode code;
  std::string path;
};

// Places in the maker's files: 16 and 28 bytes of header, entries of 28, 36 and 44 for two convs,
// of 16, 24 and 32 for two linear layers, then batch norms.
constexpr auto kVanilla = CnnVariant::Vanilla;
constexpr auto kDq8 = CnnVariant::Dq8;
constexpr auto kSq8 = CnnVariant::Sq8;
constexpr int32_t kNan = 0x7FC00000;
constexpr int32_t kHalfNegative = static_cast<int32_t>(0xBF000000U);  // -0.5F
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

std::vector<Fault> faults() {
  using enum ErrorCode;
  return {
      {"NegativeConvs", 1, kVanilla, 4, -1, BadValue, "header.nconv"},
      {"HugeConvs", 1, kDq8, 4, kMax, Truncated, "header.nconv"},
      {"HugeLinears", 1, kSq8, 8, kMax, Truncated, "header.nlinear"},
      {"NegativeBatchNorms", 1, kDq8, 12, kMin, BadValue, "header.nbn"},
      {"HugeActivations", 1, kSq8, 16, kMax, Truncated, "header.nact"},
      {"NegativeSection", 2, kDq8, 20, -1, BadValue, "header.nqparams"},
      {"SectionPastTheEnd", 2, kSq8, 20, 100'000, Truncated, "header.nqparams"},
      {"FlagOfTwo", 2, kDq8, 24, 2, BadValue, "header.asym"},
      {"StaticRangesAreAsymmetric", 2, kSq8, 24, 0, BadValue, "header.asym"},
      {"SectionOneTooSmall", 3, kDq8, 20, 4086, Mismatch, "header.nqparams"},
      {"FlagAgainstTheFloats", 3, kDq8, 24, 0, Mismatch, "header.asym"},
      {"KernelZero", 4, kVanilla, 16, 0, BadValue, "conv[0].k"},
      {"StrideZero", 4, kDq8, 28 + 36 + 4, 0, BadValue, "conv[1].stride"},
      {"StrideHuge", 4, kVanilla, 20, kMax, BadValue, "conv[0].stride"},
      {"PaddingNegative", 4, kSq8, 28 + 8, -1, BadValue, "conv[0].pad"},
      {"ChannelsNegative", 4, kVanilla, 28, kMin, BadValue, "conv[0].ic"},
      {"ChannelsMoreThanTheFile", 4, kVanilla, 32, 1 << 20, Truncated, "conv[0].oc"},
      {"InZero", 4, kVanilla, 72, 0, BadValue, "linear[0].in"},
      {"OutMoreThanTheFile", 4, kDq8, 28 + 72 + 4, 1 << 20, Truncated, "linear[0].out"},
      {"BatchNormOfNone", 4, kVanilla, 104, 0, BadValue, "batchnorm[0].n"},
      {"OffsetNegative", 5, kVanilla, 36, -1, BadValue, "conv[0].offset"},
      {"OffsetPastTheEnd", 5, kVanilla, 80, 1 << 30, BadValue, "linear[0].offset"},
      {"OffsetOneTooFar", 5, kVanilla, 112 + 4, 4117, BadValue, "batchnorm[1].offset"},
      {"BytesPastTheirSection", 5, kSq8, 28 + 20, kMax, BadValue, "conv[0].qoffset"},
      {"ScalesPastTheEnd", 5, kDq8, 28 + 24, kMax, BadValue, "conv[0].soffset"},
      {"ScalesNegative", 5, kDq8, 28 + 24, kMin, BadValue, "conv[0].soffset"},
      {"BiasOfTwo", 6, kVanilla, 40, 2, BadValue, "conv[0].bias"},
      {"BiasNegative", 6, kSq8, 28 + 40, -1, BadValue, "conv[0].bias"},
      {"GroupZero", 6, kDq8, 28 + 28, 0, BadValue, "conv[0].gs_w"},
      {"GroupNegative", 6, kDq8, 28 + 28, -5, BadValue, "conv[0].gs_w"},
      {"GroupDoesNotDivideARow", 6, kDq8, 28 + 28, 160, BadValue, "conv[0].gs_w"},
      {"GroupLargerThanARow", 6, kDq8, 28 + 28, 4000, BadValue, "conv[0].gs_w"},
      {"BiasGroupNegative", 6, kDq8, 28 + 32, -1, BadValue, "conv[0].gs_b"},
      {"BiasGroupDoesNotDivide", 6, kDq8, 28 + 32, 3, BadValue, "conv[0].gs_b"},
      {"WeightScaleNan", 8, kSq8, 28 + 24, kNan, BadValue, "conv[0].wscale"},
      {"WeightScaleZero", 8, kSq8, 28 + 24, 0, BadValue, "conv[0].wscale"},
      {"WeightZeroPointPastAByte", 8, kSq8, 28 + 28, 128, BadValue, "conv[0].wzp"},
      {"OutScaleNegative", 8, kSq8, 28 + 32, kHalfNegative, BadValue, "conv[0].out_scale"},
      {"OutZeroPointNegative", 8, kSq8, 28 + 36, -1, BadValue, "conv[0].out_zp"},
      {"OutZeroPointPastAByte", 8, kSq8, 28 + 36, 256, BadValue, "conv[0].out_zp"},
      {"ActivationScaleNan", 8, kSq8, 196, kNan, BadValue, "activation[0]"},
      {"NoClasses", 9, kVanilla, 0, 0, BadValue, "header.nclasses"},
      {"NegativeClasses", 9, kSq8, 0, -10, BadValue, "header.nclasses"},
  };
}

class TinyRuntimeFault : public ::testing::TestWithParam<Fault> {};

TEST_P(TinyRuntimeFault, IsNamedAtItsByte) {
  const Fault& fault = GetParam();
  File file = make(fault.variant);
  put_at(file, fault.at, fault.value);
  const io::MemorySource source(file);
  const auto recognised = recognise(source);
  ASSERT_TRUE(recognised) << describe(recognised.error());
  EXPECT_EQ((*recognised)->id, "tinyruntime");
  const Outcome outcome = read(file);
  const Error* error = first_error(outcome);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->path, fault.path) << describe(*error);
  EXPECT_EQ(error->byte_offset, fault.at) << describe(*error);
  EXPECT_EQ(error->code, fault.code) << describe(*error);
  const std::string rule = "rule " + std::to_string(fault.rule) + ": ";
  EXPECT_TRUE(error->message.starts_with(rule)) << describe(*error);
}

INSTANTIATE_TEST_SUITE_P(Rules, TinyRuntimeFault, ::testing::ValuesIn(faults()),
                         [](const auto& row) { return row.param.name; });

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

TEST(TinyRuntime, RefusesHalfAHeader) {
  File file = make(kDq8);
  file.resize(27);
  io::Diagnostics found;
  const io::MemorySource source(file);
  EXPECT_EQ(parse_as(kDq8, source, found).error().code, ErrorCode::Truncated);
}

TEST(TinyRuntime, CapsEntriesBeforeReservingThem) {
  File file(16 + 20'000 * 28);
  put_at(file, 0, 10);
  put_at(file, 4, 20'000);
  io::Diagnostics found;
  const io::MemorySource source(file);
  EXPECT_EQ(parse_as(kVanilla, source, found).error().code, ErrorCode::LimitExceeded);
}

// Clean with neither; strict error and lenient warning at this path.
void expect_tolerated(const File& file, std::string_view path, uint64_t offset) {
  const Outcome strict = read(file, Strictness::Strict);
  ASSERT_NE(first_error(strict), nullptr);
  EXPECT_EQ(first_error(strict)->path, path);
  EXPECT_EQ(first_error(strict)->byte_offset, offset);
  const Outcome lenient = read(file);
  ASSERT_TRUE(lenient.accepted());
  EXPECT_TRUE(std::ranges::any_of(lenient.found.warnings,
                                  [&](const Error& warning) { return warning.path == path; }));
}

TEST(TinyRuntime, ToleratesActivationsInDynamicQuantisation) {
  Maker maker;
  maker.variant = kDq8;
  File file = maker.make();
  put_at(file, 16, 2);
  file.insert(file.begin() + static_cast<std::ptrdiff_t>(maker.places.activations), 16, 0);
  expect_tolerated(file, "header.nact", 16);
}

TEST(TinyRuntime, RefusesMissingAndToleratesTrailingBytes) {
  for (const CnnVariant variant : {kVanilla, kDq8, kSq8}) {
    File file = make(variant);
    const size_t size = file.size();
    file.resize(size + 3);
    expect_tolerated(file, "end", size);
    file.resize(size - 4);
    const Outcome outcome = read(file);
    ASSERT_FALSE(outcome.model);
    EXPECT_EQ(outcome.model.error().code, ErrorCode::Truncated);
    EXPECT_EQ(outcome.model.error().byte_offset, size - 4);
  }
}

// Words between layers belong to nobody, and then who knows whose the others are.
TEST(TinyRuntime, RefusesHolesBetweenLayers) {
  Maker maker;
  File file = maker.make();
  put_at(file, maker.places.batch_norms + 8 + 4,
         load_le<int32_t>(file.data() + maker.places.batch_norms + 8 + 4) + 1);
  file.resize(file.size() + 4);
  const Outcome outcome = read(file);
  ASSERT_TRUE(outcome.model);
  ASSERT_FALSE(outcome.found.errors.empty());
  EXPECT_EQ(outcome.found.errors[0].path, "parameters");
}

TEST(TinyRuntime, WarnsOfPaddingByAKernel) {
  Maker maker;
  maker.convs[1].pad = 1;
  const Outcome outcome = read(maker.make(), Strictness::Strict);
  ASSERT_TRUE(outcome.accepted());
  ASSERT_EQ(outcome.found.warnings.size(), 1U);
  EXPECT_EQ(outcome.found.warnings[0].path, "conv[1].pad");
  EXPECT_EQ(outcome.found.warnings[0].byte_offset, maker.places.convs + 28 + 8);
}

TEST(TinyRuntime, ToleratesAnotherOrder) {
  Maker maker;
  maker.batch_norms = {4, 4};
  maker.linears[0].out = 4;
  maker.linears[1].in = 4;
  File file = maker.make();
  const uint64_t first = maker.places.batch_norms + 4;
  const auto a = load_le<int32_t>(file.data() + first);
  const auto b = load_le<int32_t>(file.data() + first + 8);
  put_at(file, first, b);
  put_at(file, first + 8, a);
  expect_tolerated(file, "batchnorm[0].offset", first);
  put_at(file, first, a);  // both at the same place
  expect_tolerated(file, "batchnorm[1].offset", first + 8);
}

// Whoever streams the numbers holds them against this; NaN is above nothing.
TEST(TinyRuntime, StatesWhatScalesAndVariancesMustBe) {
  const model::Model vanilla = *read(make(kVanilla)).model;
  EXPECT_EQ(vanilla.find("batchnorm.0.running_var")->finite_above, -1e-5F);
  EXPECT_EQ(vanilla.find("batchnorm.0.weight")->finite_above, -INFINITY);
  EXPECT_EQ(vanilla.find("conv.0.weight")->finite_above, -INFINITY);
  const model::Model asymmetric = *read(make(kDq8)).model;
  EXPECT_EQ(asymmetric.find("conv.0.weight.scale")->finite_above, 0.0F);
  EXPECT_EQ(asymmetric.find("conv.0.weight.zero_point")->finite_above, std::nullopt);
  const model::Model symmetric = *read(make(kDq8, false)).model;
  EXPECT_GT(0.0F, *symmetric.find("conv.0.bias.scale")->finite_above);
  EXPECT_LE(std::nextafter(0.0F, -1.0F), *symmetric.find("conv.0.bias.scale")->finite_above);
}

TEST(TinyRuntime, WarnsWhereTheLastLayerHasOtherOutputs) {
  Maker maker;
  maker.n_classes = 10;
  const Outcome outcome = read(maker.make(), Strictness::Strict);
  ASSERT_TRUE(outcome.accepted());
  ASSERT_EQ(outcome.found.warnings.size(), 1U);
  EXPECT_EQ(outcome.found.warnings[0].path, "header.nclasses");
}

// Every word in turn (core/formats/tinyruntime/README.md#rule-11).
TEST(TinyRuntime, SurvivesEveryWordBeingOff) {
  for (const CnnVariant variant : {kVanilla, kDq8, kSq8}) {
    Maker maker;
    maker.variant = variant;
    File file = maker.make();
    for (uint64_t at = 0; at + 4 <= maker.places.data; at += 4) {
      const auto good = load_le<int32_t>(file.data() + at);
      for (const int32_t value : {good + 1, good - 1, 0, kMin, kMax}) {
        put_at(file, at, value);
        const io::MemorySource source(file);
        for (const CnnVariant claimed : {kVanilla, kDq8, kSq8}) {
          io::Diagnostics found;
          const auto model = parse_as(claimed, source, found);
          if (!model) continue;
          for (const auto& tensor : model->tensors) {
            ASSERT_LE(tensor.offset, file.size());
            ASSERT_LE(tensor.bytes, file.size() - tensor.offset);
          }
        }
      }
      put_at(file, at, good);
    }
  }
}

TEST(TinyRuntime, ReadsAFileOfOnlyAHeader) {
  for (const CnnVariant variant : {kVanilla, kDq8}) {
    Maker maker;
    maker.variant = variant;
    maker.convs.clear();
    maker.linears.clear();
    maker.batch_norms.clear();
    const Outcome outcome = read(maker.make(), Strictness::Strict);
    ASSERT_TRUE(outcome.accepted());
    EXPECT_TRUE(outcome.model->tensors.empty());
    EXPECT_EQ(outcome.model->version, variant == kDq8 ? "DQ8" : "vanilla");
  }
}

}  // namespace
}  // namespace ambry::formats::tinyruntime
