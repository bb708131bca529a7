#include "api/image_classifier/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "api/image_classifier/ranges_json.h"
#include "api/loading/fill_sink.h"
#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/tinyruntime/make_tinyruntime.h"
#include "formats/tinyruntime/tinyruntime_parse.h"
#include "infer/cnn/read_network.h"
#include "model/cnn/cnn_plan.h"
#include "model/cnn/cnn_table.h"

namespace ambry::api {
namespace {

using formats::tinyruntime::testing::Maker;
using model::CnnVariant;
using File = std::vector<uint8_t>;

Maker small_network() {
  Maker maker;
  maker.convs = {{1, 1, 0, 1, 2, true}, {3, 1, 1, 2, 2, true}, {3, 1, 1, 2, 2, false}};
  maker.linears = {{4, 3, false}, {3, 3, true}};
  maker.batch_norms = {4, 3};
  return maker;
}

Result<std::unique_ptr<Calibration>> read_whole(const File& file, std::string_view plan = {}) {
  const io::MemorySource source(file);
  AMBRY_TRY(auto calibration, Calibration::begin(source, plan));
  AMBRY_RETURN_IF_ERROR(testing::fill_sink(*calibration, file));
  return calibration;
}

Result<void> show(Calibration& calibration, std::span<const float> image) {
  AMBRY_TRY(const std::span<float> room, calibration.image(image.size()));
  std::ranges::copy(image, room.begin());
  return calibration.run();
}

Result<File> to_sq8(const File& file, const std::string& ranges) {
  convert::Options options;
  options.to = "tinyruntime";
  options.quantize.emplace();
  options.quantize->type = "sq8";
  AMBRY_TRY(const io::Json document, io::parse_json(ranges));
  AMBRY_TRY(options.quantize->ranges, read_ranges(document));
  return convert::testing::run(file, {}, options);
}

TEST(Calibration, GivesTheRangesThatSq8Needs) {
  const File file = small_network().make();
  const auto calibration = read_whole(file);
  ASSERT_TRUE(calibration) << describe(calibration.error());
  ASSERT_TRUE(show(**calibration, std::vector<float>(16, 0.5F)));
  ASSERT_TRUE(show(**calibration, std::vector<float>(16, -0.25F)));
  const auto ranges = (*calibration)->ranges();
  ASSERT_TRUE(ranges) << describe(ranges.error());
  EXPECT_NE(ranges->find(R"("activations":[{"low":-0.25,"high":0.5},)"), std::string::npos)
      << *ranges;
  const auto made = to_sq8(file, *ranges);
  ASSERT_TRUE(made) << describe(made.error());
  const io::MemorySource source(*made);
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  const auto model = formats::tinyruntime::parse(source, found);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_TRUE(found.errors.empty());
  EXPECT_EQ(model::cnn_table(model->config)->variant, CnnVariant::Sq8);
}

TEST(Calibration, RejectsUnsupportedFiles) {
  const auto quantized = read_whole(formats::tinyruntime::testing::make(CnnVariant::Dq8));
  ASSERT_FALSE(quantized);
  EXPECT_EQ(quantized.error().path, "config.variant");
  const auto no_residual = read_whole(formats::tinyruntime::testing::make(CnnVariant::Vanilla));
  ASSERT_FALSE(no_residual);
  EXPECT_EQ(no_residual.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(no_residual.error().path, "conv[1]");
}

TEST(Calibration, FollowsAPlan) {
  Maker maker;
  maker.convs = {{3, 1, 1, 1, 2, true}};
  maker.linears = {{8, 3, true}};
  maker.batch_norms = {};
  const File file = maker.make();
  const auto without = read_whole(file);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::Unsupported);
  const auto calibration = read_whole(
      file,
      R"({"input": [1, 4, 4], "ops": ["conv", "relu", "avgpool:2:2:0", "flatten", "linear"]})");
  ASSERT_TRUE(calibration) << describe(calibration.error());
  ASSERT_TRUE(show(**calibration, std::vector<float>(16, 0.5F)));
  const auto ranges = (*calibration)->ranges();
  ASSERT_TRUE(ranges) << describe(ranges.error());
  const auto document = io::parse_json(*ranges);
  EXPECT_EQ(document->find("activations")->items().size(), 4U);
  EXPECT_EQ(document->find("linears")->items()[0].find("in")->uint(), 2U);
  const auto bad = read_whole(file, R"({"input": [1, 4, 4], "ops": ["conv"]})");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().path, "plan.nodes");
}

TEST(Calibration, ConvertsPicturesByThePlan) {
  const File file = small_network().make();
  const auto table = *model::cnn_table(infer::testing::parse(file).config);
  const model::CnnPlan plan{*model::residual_graph(table, 4), model::CnnImage{{0.5F}, {0.5F}}, {}};
  const auto by_picture = read_whole(file, model::cnn_plan_document(plan).dump());
  ASSERT_TRUE(by_picture) << describe(by_picture.error());
  const auto room = (*by_picture)->picture(4, 4);
  ASSERT_TRUE(room) << describe(room.error());
  std::ranges::fill(*room, uint8_t{255});
  ASSERT_TRUE((*by_picture)->run());
  const auto by_numbers = read_whole(file);
  ASSERT_TRUE(by_numbers);
  ASSERT_TRUE(show(**by_numbers, std::vector<float>(16, 1.0F)));
  EXPECT_EQ(*(*by_picture)->ranges(), *(*by_numbers)->ranges());
  EXPECT_EQ((*by_numbers)->picture(4, 4).error().code, ErrorCode::Unsupported);
}

TEST(Calibration, AsksForTheFileAndAnImage) {
  const File file = small_network().make();
  const io::MemorySource source(file);
  const auto early = Calibration::begin(source);
  ASSERT_TRUE(early);
  EXPECT_EQ(show(**early, std::vector<float>(16)).error().path, "source");
  const auto calibration = read_whole(file);
  ASSERT_TRUE(calibration);
  EXPECT_EQ((*calibration)->ranges().error().path, "images");
  EXPECT_EQ(show(**calibration, std::vector<float>(15)).error().path, "input");
  EXPECT_EQ((*calibration)->image(UINT64_MAX).error().code, ErrorCode::Overflow);
}

// The reference calibrates with histograms over other images. So the file has the same form, and
// the scales of weights are equal, because they depend on nothing else.
TEST(Calibration, MatchesTheReferencesFileExceptForRanges) {
  AMBRY_NEEDS_DATA("tinyruntime/models", "tinyruntime/inputs");
  const auto folder = ambry::testing::data_folder() / "tinyruntime";
  for (const std::string net : {"r18w8", "r50w4"}) {
    const File vanilla = *ambry::testing::read_file(folder / "models" / (net + "_vanilla.bin"));
    const auto calibration = read_whole(vanilla);
    ASSERT_TRUE(calibration) << describe(calibration.error());
    for (const char* name : {"synth_checker.bin", "synth_cone.bin"}) {
      const File image = *ambry::testing::read_file(folder / "inputs" / name);
      std::vector<float> numbers(image.size() / sizeof(float));
      std::memcpy(numbers.data(), image.data(), image.size());
      ASSERT_TRUE(show(**calibration, numbers));
    }
    const auto made = to_sq8(vanilla, *(*calibration)->ranges());
    ASSERT_TRUE(made) << describe(made.error());
    const File expected = *ambry::testing::read_file(folder / "models" / (net + "_sq8.bin"));
    // PyTorch gives the two linear layers zero biases that they did not have.
    ASSERT_EQ(made->size() + (64 + 10) * sizeof(int32_t), expected.size());
    const io::MemorySource made_source(*made);
    const io::MemorySource expected_source(expected);
    io::Diagnostics found;
    const auto ours = formats::tinyruntime::parse(made_source, found);
    const auto theirs = formats::tinyruntime::parse(expected_source, found);
    ASSERT_TRUE(ours && theirs);
    const auto our_table = model::cnn_table(ours->config);
    const auto their_table = model::cnn_table(theirs->config);
    ASSERT_EQ(our_table->activations.size(), their_table->activations.size());
    for (size_t i = 0; i < our_table->convs.size(); ++i) {
      EXPECT_EQ(our_table->convs[i].weight_scale, their_table->convs[i].weight_scale) << net << i;
      const std::string name = concat({"conv.", uint64_t{i}, ".weight"});
      const auto& mine = *ours->find(name);
      const auto& wanted = *theirs->find(name);
      EXPECT_TRUE(std::ranges::equal(Bytes(*made).subspan(mine.offset, mine.bytes),
                                     Bytes(expected).subspan(wanted.offset, wanted.bytes)))
          << net << name;
      // A ReLU is fused on both sides or on neither.
      EXPECT_EQ(our_table->convs[i].out_zero_point == 0, their_table->convs[i].out_zero_point == 0)
          << net << name;
    }
    for (size_t i = 0; i < our_table->activations.size(); ++i) {
      const float ratio = our_table->activations[i].scale / their_table->activations[i].scale;
      EXPECT_GT(ratio, 0.2F) << net << i;
      EXPECT_LT(ratio, 5.0F) << net << i;
    }
  }
}

}  // namespace
}  // namespace ambry::api
