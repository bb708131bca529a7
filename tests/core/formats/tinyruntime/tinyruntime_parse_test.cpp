#include "formats/tinyruntime/tinyruntime_parse.h"
#include "formats/expect_format.h"

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

// The first error.
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

TEST(TinyRuntime, ReadsDynamicQuantization) {
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

TEST(TinyRuntime, ReadsStaticQuantization) {
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

// One changed word of a file, and the error that it must give.
// core/formats/tinyruntime/README.md#rules has the rules.
struct Fault {
  std::string name;
  CnnVariant variant;
  uint64_t at;
  int32_t value;
  ErrorCode code;
  std::string path;
  std::string message;  // a part of it
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
      {"NegativeConvs", kVanilla, 4, -1, BadValue, "header.nconv", "the count is -1"},
      {"HugeConvs", kDq8, 4, kMax, Truncated, "header.nconv", "entries take"},
      {"HugeLinears", kSq8, 8, kMax, Truncated, "header.nlinear", "entries take"},
      {"NegativeBatchNorms", kDq8, 12, kMin, BadValue, "header.nbn", "the count is -2147483648"},
      {"HugeActivations", kSq8, 16, kMax, Truncated, "header.nact", "entries take"},
      {"NegativeSection", kDq8, 20, -1, BadValue, "header.nqparams", "the size is -1"},
      {"SectionPastTheEnd", kSq8, 20, 100'000, Truncated, "header.nqparams",
       "the section has 100000 bytes"},
      {"FlagOfTwo", kDq8, 24, 2, BadValue, "header.asym", "the flag is 2, expected 0 or 1"},
      {"StaticRangesAreAsymmetric", kSq8, 24, 0, BadValue, "header.asym",
       "the flag is 0, expected 1"},
      {"SectionOneTooSmall", kDq8, 20, 4086, Mismatch, "header.nqparams",
       "the header states 4086 bytes"},
      {"FlagAgainstTheFloats", kDq8, 24, 0, Mismatch, "header.asym",
       "the flag says that groups have no zero points"},
      {"KernelZero", kVanilla, 16, 0, BadValue, "conv[0].k", "0, expected 1 to 1048576"},
      {"StrideZero", kDq8, 28 + 36 + 4, 0, BadValue, "conv[1].stride", "0, expected 1 to 1048576"},
      {"StrideHuge", kVanilla, 20, kMax, BadValue, "conv[0].stride", "expected 1 to 1048576"},
      {"PaddingNegative", kSq8, 28 + 8, -1, BadValue, "conv[0].pad", "-1, expected 0 to 1048576"},
      {"ChannelsNegative", kVanilla, 28, kMin, BadValue, "conv[0].ic", "expected 1 to 1048576"},
      {"ChannelsMoreThanTheFile", kVanilla, 32, 1 << 20, Truncated, "conv[0].oc",
       "that the file can hold"},
      {"InZero", kVanilla, 72, 0, BadValue, "linear[0].in", "0, expected 1 to"},
      {"OutMoreThanTheFile", kDq8, 28 + 72 + 4, 1 << 20, Truncated, "linear[0].out",
       "that the file can hold"},
      {"BatchNormOfNone", kVanilla, 104, 0, BadValue, "batchnorm[0].n", "0, expected 1 to"},
      {"OffsetNegative", kVanilla, 36, -1, BadValue, "conv[0].offset",
       "words from word -1 on do not fit"},
      {"OffsetPastTheEnd", kVanilla, 80, 1 << 30, BadValue, "linear[0].offset",
       "words from word 1073741824 on do not fit"},
      {"OffsetOneTooFar", kVanilla, 112 + 4, 4117, BadValue, "batchnorm[1].offset",
       "from word 4117 on do not fit"},
      {"BytesPastTheirSection", kSq8, 28 + 20, kMax, BadValue, "conv[0].qoffset",
       "bytes from byte 2147483647 on do not fit"},
      {"ScalesPastTheEnd", kDq8, 28 + 24, kMax, BadValue, "conv[0].soffset",
       "words from word 2147483647 on do not fit"},
      {"ScalesNegative", kDq8, 28 + 24, kMin, BadValue, "conv[0].soffset",
       "from word -2147483648 on do not fit"},
      {"BiasOfTwo", kVanilla, 40, 2, BadValue, "conv[0].bias", "2, expected 0 to 1"},
      {"BiasNegative", kSq8, 28 + 40, -1, BadValue, "conv[0].bias", "-1, expected 0 to 1"},
      {"GroupZero", kDq8, 28 + 28, 0, BadValue, "conv[0].gs_w", "0, expected at least 1"},
      {"GroupNegative", kDq8, 28 + 28, -5, BadValue, "conv[0].gs_w", "-5, expected at least 1"},
      {"GroupDoesNotDivideARow", kDq8, 28 + 28, 160, BadValue, "conv[0].gs_w",
       "groups of 160 do not divide the"},
      {"GroupLargerThanARow", kDq8, 28 + 28, 4000, BadValue, "conv[0].gs_w",
       "groups of 4000 do not divide the"},
      {"BiasGroupNegative", kDq8, 28 + 32, -1, BadValue, "conv[0].gs_b", "-1, expected at least 0"},
      {"BiasGroupDoesNotDivide", kDq8, 28 + 32, 3, BadValue, "conv[0].gs_b",
       "groups of 3 do not divide the"},
      {"WeightScaleNan", kSq8, 28 + 24, kNan, BadValue, "conv[0].wscale",
       "a finite number above 0"},
      {"WeightScaleZero", kSq8, 28 + 24, 0, BadValue, "conv[0].wscale", "a finite number above 0"},
      {"WeightZeroPointPastAByte", kSq8, 28 + 28, 128, BadValue, "conv[0].wzp",
       "128, expected -128 to 127"},
      {"OutScaleNegative", kSq8, 28 + 32, kHalfNegative, BadValue, "conv[0].out_scale",
       "a finite number above 0"},
      {"OutZeroPointNegative", kSq8, 28 + 36, -1, BadValue, "conv[0].out_zp",
       "-1, expected 0 to 255"},
      {"OutZeroPointPastAByte", kSq8, 28 + 36, 256, BadValue, "conv[0].out_zp",
       "256, expected 0 to 255"},
      {"ActivationScaleNan", kSq8, 196, kNan, BadValue, "activation[0]", "a finite number above 0"},
      {"NoClasses", kVanilla, 0, 0, BadValue, "header.nclasses",
       "the count is 0, expected at least 1"},
      {"NegativeClasses", kSq8, 0, -10, BadValue, "header.nclasses", "the count is -10"},
  };
}

class TinyRuntimeFault : public ::testing::TestWithParam<Fault> {};

TEST_P(TinyRuntimeFault, IsReportedAtItsByte) {
  const Fault& fault = GetParam();
  File file = make(fault.variant);
  put_at(file, fault.at, fault.value);
  const io::MemorySource source(file);
  const auto recognised = recognise(source);
  ASSERT_TRUE(recognised) << describe(recognised.error());
  EXPECT_EQ((*recognised)->facts.id, "tinyruntime");
  const Outcome outcome = read(file);
  const Error* error = first_error(outcome);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->path, fault.path) << describe(*error);
  EXPECT_EQ(error->byte_offset, fault.at) << describe(*error);
  EXPECT_EQ(error->code, fault.code) << describe(*error);
  EXPECT_NE(error->message.find(fault.message), std::string::npos) << describe(*error);
}

INSTANTIATE_TEST_SUITE_P(Rules, TinyRuntimeFault, ::testing::ValuesIn(faults()),
                         [](const auto& row) { return row.param.name; });

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

TEST(TinyRuntime, RejectsAnIncompleteHeader) {
  File file = make(kDq8);
  file.resize(27);
  io::Diagnostics found;
  const io::MemorySource source(file);
  EXPECT_EQ(parse_as(kDq8, source, found).error().code, ErrorCode::Truncated);
}

TEST(TinyRuntime, LimitsEntriesBeforeReservingThem) {
  File file(16 + 20'000 * 28);
  put_at(file, 0, 10);
  put_at(file, 4, 20'000);
  io::Diagnostics found;
  const io::MemorySource source(file);
  EXPECT_EQ(parse_as(kVanilla, source, found).error().code, ErrorCode::LimitExceeded);
}

// Strict reading gives an error at this path, and lenient reading a warning.
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

TEST(TinyRuntime, ToleratesActivationsInDynamicQuantization) {
  Maker maker;
  maker.variant = kDq8;
  File file = maker.make();
  put_at(file, 16, 2);
  file.insert(file.begin() + static_cast<std::ptrdiff_t>(maker.places.activations), 16, 0);
  expect_tolerated(file, "header.nact", 16);
}

TEST(TinyRuntime, RejectsMissingAndToleratesTrailingBytes) {
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

// A count that is too low moves the parameters towards the tables.
TEST(TinyRuntime, RejectsCountsThatAreTooLow) {
  struct Count {
    CnnVariant variant;
    uint64_t at;
  };
  for (const Count count :
       {Count{kSq8, 16}, Count{kSq8, 12}, Count{kDq8, 12}, Count{kVanilla, 12}}) {
    File file = make(count.variant);
    put_at(file, count.at, load_le<int32_t>(file.data() + count.at) - 1);
    const Outcome outcome = read(file);
    ASSERT_TRUE(outcome.model) << describe(outcome.model.error());
    ASSERT_FALSE(outcome.found.errors.empty()) << count.at;
    const Error& error = outcome.found.errors.back();
    EXPECT_EQ(error.code, ErrorCode::Mismatch);
    EXPECT_EQ(error.path, "parameters");
    if (count.at == 16) {
      EXPECT_EQ(error.byte_offset, file.size() - 8);
    }
  }
}

// Where words between two layers belong to neither, the other offsets cannot be trusted.
TEST(TinyRuntime, RejectsGapsBetweenLayers) {
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

TEST(TinyRuntime, WarnsOfPaddingAsLargeAsTheKernel) {
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

// The code that streams the values compares them with this bound. NaN fails every bound.
TEST(TinyRuntime, StatesTheBoundsOfScalesAndVariances) {
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

TEST(TinyRuntime, WarnsIfTheLastLayerHasOtherOutputs) {
  Maker maker;
  maker.n_classes = 10;
  const Outcome outcome = read(maker.make(), Strictness::Strict);
  ASSERT_TRUE(outcome.accepted());
  ASSERT_EQ(outcome.found.warnings.size(), 1U);
  EXPECT_EQ(outcome.found.warnings[0].path, "header.nclasses");
}

// Changes every word in turn (core/formats/tinyruntime/README.md#rule-11).
TEST(TinyRuntime, SurvivesChangesOfEveryWord) {
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
