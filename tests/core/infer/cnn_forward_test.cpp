#include "infer/cnn_forward.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "formats/tinyruntime/parse.h"
#include "io/json.h"

namespace ambry::infer {
namespace {

using model::CnnRanges;
using File = std::vector<uint8_t>;

// One channel that every layer passes on as it is, so that the numbers can be told by hand.
CnnWeights plain_network() {
  CnnWeights weights;
  // Kernel, stride, padding, in, out, bias.
  weights.table.convs = {{1, 1, 0, 1, 1}, {3, 1, 1, 1, 1, 1}, {3, 1, 1, 1, 1}};
  weights.table.linears = {{1, 1, 0, 2, 2}, {1, 1, 0, 2, 2, 1}};
  weights.table.batch_norms = {{1, 1, 0, 2, 2}, {1, 1, 0, 2, 2}};
  const std::vector<float> middle = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  weights.convs = {{{1}, {}, {}, {}}, {middle, {0.5F}, {}, {}}, {middle, {}, {}, {}}};
  weights.linears = {{{1, 0, 0, -1}, {}, {}, {}}, {{1, 2, 3, 4}, {10, 20}, {}, {}}};
  const CnnLayerWeights norm{{2, 1}, {0, 1}, {1, 0}, {4, 1}};
  weights.batch_norms = {norm, {{1, 1}, {0, 0}, {0, 0}, {1, 1}}};
  return weights;
}

// The stem's pool makes {6, 8, 14, 16} of 1 … 16; the block adds it to itself and 0.5.
TEST(CnnForward, GoesThroughEveryLayer) {
  auto network = CnnForward::create(plain_network());
  ASSERT_TRUE(network) << describe(network.error());
  std::vector<float> image;
  for (int i = 1; i <= 16; ++i) image.push_back(static_cast<float>(i));
  const auto logits = network->run(image);
  ASSERT_TRUE(logits) << describe(logits.error());
  // {32.5, 22.5} after the pools, {31.5, 23.5} after the first norm, {31.5, 0} after the layer.
  EXPECT_NEAR((*logits)[0], 10 + 31.5, 1e-3);
  EXPECT_NEAR((*logits)[1], 20 + 3 * 31.5, 1e-3);
  const CnnRanges& ranges = network->ranges();
  ASSERT_EQ(ranges.activations.size(), 3U + 3U + 10U);
  EXPECT_EQ(ranges.conv_weights, (std::vector<float>{1, 1, 1}));
  EXPECT_EQ(ranges.linear_weights, (std::vector<float>{1, 4}));
  EXPECT_EQ(ranges.activations[0].low, 1);
  EXPECT_EQ(ranges.activations[2].low, 6);
  EXPECT_EQ(ranges.activations[3].low, 6.5F);
  EXPECT_EQ(ranges.activations[5].high, 32.5F);
  EXPECT_EQ(ranges.conv_flows[1].in, 2U);
  EXPECT_EQ(ranges.conv_flows[2].out, 4U);
  EXPECT_EQ(ranges.linear_flows[0].in, 5U + 6U);
  EXPECT_EQ(ranges.linear_flows[1].out, 5U + 10U);
}

TEST(CnnForward, ObservesAllImages) {
  auto network = CnnForward::create(plain_network());
  ASSERT_TRUE(network);
  const std::vector<float> dark(16, -3);
  const std::vector<float> light(16, 7);
  ASSERT_TRUE(network->run(dark));
  ASSERT_TRUE(network->run(light));
  EXPECT_EQ(network->ranges().activations[0].low, -3);
  EXPECT_EQ(network->ranges().activations[0].high, 7);
  EXPECT_EQ(network->ranges().activations[1].low, 0);
  const std::vector<float> broken(16, std::numeric_limits<float>::quiet_NaN());
  ASSERT_TRUE(network->run(broken));
  ASSERT_TRUE(network->run(light));
  EXPECT_TRUE(std::isnan(network->ranges().activations[0].low));
}

TEST(CnnForward, RefusesImagesThatDoNotFit) {
  CnnWeights weights = plain_network();
  weights.table.convs[0] = {7, 2, 0, 1, 1};
  weights.convs[0].weight.assign(49, 1);
  auto network = CnnForward::create(std::move(weights));
  ASSERT_TRUE(network);
  for (const size_t size : {0U, 15U, 36U}) {
    const auto logits = network->run(std::vector<float>(size));
    ASSERT_FALSE(logits) << size;
    EXPECT_EQ(logits.error().code, ErrorCode::BadValue);
    EXPECT_EQ(logits.error().path, "image");
  }
  EXPECT_TRUE(network->run(std::vector<float>(49)));
}

File file_at(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<float> floats(Bytes bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

CnnWeights read_network(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  const auto model = formats::tinyruntime::parse(source, found);
  EXPECT_TRUE(model);
  CnnWeights weights;
  weights.table = *model::cnn_table(model->config);
  const auto tensor = [&](model::CnnKind kind, size_t i, const char* name) {
    const auto* entry = model->find(
        concat({model::cnn_kind_name(kind), ".", uint64_t{i}, ".", std::string_view(name)}));
    return entry == nullptr ? std::vector<float>()
                            : floats(Bytes(file).subspan(entry->offset, entry->bytes));
  };
  for (const model::CnnKind kind : model::kCnnKinds) {
    auto& layers = kind == model::CnnKind::Conv     ? weights.convs
                   : kind == model::CnnKind::Linear ? weights.linears
                                                    : weights.batch_norms;
    for (size_t i = 0; i < weights.table.of(kind).size(); ++i) {
      layers.push_back({tensor(kind, i, "weight"), tensor(kind, i, "bias"),
                        tensor(kind, i, "running_mean"), tensor(kind, i, "running_var")});
    }
  }
  return weights;
}

// The logits of the reference's own program, bit for bit.
TEST(CnnForward, GivesTheReferencesLogits) {
  const char* data = std::getenv("AMBRY_DATA");
  if (data == nullptr) GTEST_SKIP() << "no real files; set AMBRY_DATA to their folder";
  const auto folder = std::filesystem::path(data) / "tinyruntime";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  for (const std::string net : {"r18w8", "r50w4"}) {
    auto network =
        CnnForward::create(read_network(file_at(folder / "models" / (net + "_vanilla.bin"))));
    ASSERT_TRUE(network) << describe(network.error());
    for (const std::string input : {"synth_checker", "synth_cone"}) {
      const File image = file_at(folder / "inputs" / (input + ".bin"));
      const File text = file_at(folder / "expected" / concat({net, "_vanilla__", input, ".json"}));
      const auto logits = network->run(floats(image));
      ASSERT_TRUE(logits) << describe(logits.error());
      const auto expected = io::parse_json(as_text(text));
      ASSERT_TRUE(expected);
      const auto& wanted = expected->find("logits")->items();
      ASSERT_EQ(logits->size(), wanted.size());
      for (size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ((*logits)[i], static_cast<float>(wanted[i].number())) << net << input << i;
      }
    }
  }
}

}  // namespace
}  // namespace ambry::infer
