#include "convert/cnn/cnn_conversions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/pytorch/make_pytorch.h"
#include "formats/safetensors/make_safetensors.h"
#include "formats/tinyruntime/tinyruntime_parse.h"
#include "model/cnn/cnn_table.h"

namespace ambry::convert {
namespace {

using model::CnnLayer;
using testing::File;

// A tensor of a state dict, for both kinds of files.
struct Named {
  std::string name;
  std::vector<uint64_t> shape;
  std::vector<float> values;
};

// The values of tests/reference/cnn_fold_reference.py.
std::vector<float> values(uint64_t n, int seed) {
  std::vector<float> made;
  for (uint64_t i = 0; i < n; ++i) {
    const int number = (static_cast<int>(i) * 37 + seed * 11) % 101 - 50;
    made.push_back(static_cast<float>(number) / 64.0F);
  }
  return made;
}

class StateDict {
 public:
  StateDict& add(std::string name, std::vector<uint64_t> shape, int seed = 0) {
    uint64_t count = 1;
    for (const uint64_t extent : shape) count *= extent;
    tensors_.push_back({std::move(name), std::move(shape), values(count, seed)});
    return *this;
  }
  StateDict& add_conv(const std::string& name, uint64_t out, uint64_t in, uint64_t kernel) {
    return add(name + ".weight", {out, in, kernel, kernel}, 1);
  }
  StateDict& add_norm(const std::string& name, uint64_t n) {
    add(name + ".weight", {n}, 3).add(name + ".bias", {n}, 4).add(name + ".running_mean", {n}, 5);
    add(name + ".running_var", {n}, 6);
    for (float& variance : tensors_.back().values) variance = std::abs(variance) + 0.25F;
    return *this;
  }
  StateDict& add_linear(const std::string& name, uint64_t out, uint64_t in) {
    return add(name + ".weight", {out, in}, 7).add(name + ".bias", {out}, 8);
  }
  // The convs and norms of a block in torchvision.
  StateDict& add_block(const std::string& name, const std::vector<uint64_t>& channels,
                       const std::vector<uint64_t>& kernels, bool shortcut) {
    for (size_t i = 0; i < kernels.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      add_conv(concat({name, ".conv", number}), channels[i + 1], channels[i], kernels[i]);
      add_norm(concat({name, ".bn", number}), channels[i + 1]);
    }
    if (!shortcut) return *this;
    add_conv(name + ".downsample.0", channels.back(), channels.front(), 1);
    return add_norm(name + ".downsample.1", channels.back());
  }

  [[nodiscard]] File pytorch() const {
    std::vector<formats::pytorch::testing::Tensor> tensors;
    tensors.reserve(tensors_.size());
    for (const Named& named : tensors_) {
      tensors.push_back({named.name, "FloatStorage", named.shape, data_of(named)});
    }
    return formats::pytorch::testing::from_tensors(tensors).make();
  }
  // Sorted by name, as most writers do.
  [[nodiscard]] File safetensors() const {
    std::vector<Named> sorted = tensors_;
    std::ranges::sort(sorted, {}, &Named::name);
    std::vector<formats::safetensors::testing::Tensor> tensors;
    tensors.reserve(sorted.size());
    for (const Named& named : sorted) {
      tensors.push_back({named.name, "F32", named.shape, data_of(named)});
    }
    return formats::safetensors::testing::from_tensors(tensors);
  }

 private:
  static std::string data_of(const Named& named) {
    return std::string(as_text(bytes_of(std::span<const float>(named.values))));
  }

  std::vector<Named> tensors_;
};

// The converted file and its table.
struct MadeNetwork {
  File file;
  model::Model model;
  model::CnnTable table;
  std::vector<Error> warnings;

  [[nodiscard]] uint32_t crc(std::string_view name) const {
    const model::TensorEntry& tensor = *model.find(name);
    return io::crc32(
        Bytes(file).subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes)));
  }
};

Result<MadeNetwork> convert(const File& file,
                            std::vector<std::pair<std::string, std::string>> facts = {}) {
  Options options;
  options.to = "tinyruntime";
  options.metadata = std::move(facts);
  MadeNetwork made;
  const SideFiles none;
  AMBRY_TRY(made.file, testing::run(file, none, options, &made.warnings));
  const io::MemorySource source(made.file);
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  AMBRY_TRY(made.model, formats::tinyruntime::parse(source, found));
  EXPECT_TRUE(found.errors.empty());
  AMBRY_TRY(made.table, model::cnn_table(made.model.config));
  return made;
}

StateDict plain_net(bool bias) {
  StateDict net;
  net.add_conv("conv", 6, 3, 3);
  if (bias) net.add("conv.bias", {6}, 2);
  return net.add_norm("norm", 6).add_linear("out", 4, 6);
}
const std::vector<std::pair<std::string, std::string>> kFacts = {{"conv.0.stride", "2"},
                                                                 {"conv.0.pad", "1"}};

// The sums are PyTorch's (tests/reference/cnn_fold_reference.py).
TEST(CnnPlan, FoldsBatchNormsBitForBit) {
  const auto without = convert(plain_net(false).pytorch(), kFacts);
  ASSERT_TRUE(without) << describe(without.error());
  EXPECT_EQ(without->crc("conv.0.weight"), 0x0964D6E9U);
  EXPECT_EQ(without->crc("conv.0.bias"), 0x50BAB3AFU);
  const auto with = convert(plain_net(true).pytorch(), kFacts);
  ASSERT_TRUE(with) << describe(with.error());
  EXPECT_EQ(with->crc("conv.0.weight"), 0x0964D6E9U);
  EXPECT_EQ(with->crc("conv.0.bias"), 0x49F2A2E6U);
  // The file does not say whether something happens between the two.
  ASSERT_EQ(with->warnings.size(), 1U);
  EXPECT_EQ(with->warnings[0].path, "norm");
}

TEST(CnnPlan, UsesGivenStridesAndPaddings) {
  const auto made = convert(plain_net(true).pytorch(), kFacts);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->table.convs, (std::vector<CnnLayer>{{3, 2, 1, 3, 6, 1}}));
  EXPECT_EQ(made->table.linears, (std::vector<CnnLayer>{{1, 1, 0, 6, 4, 1}}));
  EXPECT_TRUE(made->table.batch_norms.empty());
  EXPECT_EQ(made->table.n_classes, 4);
}

TEST(CnnPlan, AsksForStridesAndPaddings) {
  const File file = plain_net(true).pytorch();
  const auto silent = convert(file, {{"conv.0.stride", "2"}});
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(silent.error().path, "conv.weight");
  EXPECT_NE(silent.error().message.find("conv.0.pad"), std::string::npos);
  for (const char* bad : {"", "-1", "one", "1.5", "99999999999"}) {
    const auto made = convert(file, {{"conv.0.stride", bad}, {"conv.0.pad", "0"}});
    ASSERT_FALSE(made) << bad;
    EXPECT_EQ(made.error().path, "options.metadata.conv.0.stride");
  }
}

StateDict small_resnet(const std::string& prefix, bool fastai) {
  StateDict net;
  const std::string stage = prefix + (fastai ? "0." : "layer");
  const auto stage_name = [&](int n) { return stage + std::to_string(fastai ? n + 3 : n); };
  net.add_conv(prefix + (fastai ? "0.0" : "conv1"), 4, 3, 7);
  net.add_norm(prefix + (fastai ? "0.1" : "bn1"), 4);
  net.add_block(stage_name(1) + ".0", {4, 4, 4}, {3, 3}, false);
  net.add_block(stage_name(1) + ".1", {4, 4, 4}, {3, 3}, false);
  net.add_block(stage_name(2) + ".0", {4, 8, 8}, {3, 3}, true);
  if (!fastai) return net.add_linear(prefix + "fc", 5, 8);
  net.add_norm(prefix + "1.2", 16).add(prefix + "1.4.weight", {6, 16}, 7);
  return net.add_norm(prefix + "1.6", 6).add(prefix + "1.10.weight", {5, 6}, 7);
}

// Kernel, stride, padding, in, out, bias.
const std::vector<CnnLayer> kSmallConvs = {
    {7, 2, 3, 3, 4, 1}, {3, 1, 1, 4, 4, 1}, {3, 1, 1, 4, 4, 1}, {3, 1, 1, 4, 4, 1},
    {3, 1, 1, 4, 4, 1}, {3, 2, 1, 4, 8, 1}, {3, 1, 1, 8, 8, 1}, {1, 2, 0, 4, 8, 1}};

TEST(CnnPlan, RecognizesTorchvisionsResidualNetworks) {
  const StateDict net = small_resnet("", false);
  for (const File& file : {net.pytorch(), net.safetensors()}) {
    const auto made = convert(file);
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_TRUE(made->warnings.empty());
    EXPECT_EQ(made->table.convs, kSmallConvs);
    EXPECT_EQ(made->table.linears, (std::vector<CnnLayer>{{1, 1, 0, 8, 5, 1}}));
    EXPECT_TRUE(made->table.batch_norms.empty());
  }
  EXPECT_EQ(convert(net.pytorch())->file, convert(net.safetensors())->file);
}

// With the head that tinyRuntime supports.
TEST(CnnPlan, RecognizesNetworksWrappedByFastai) {
  for (const std::string prefix : {"", "model.", "state_dict.module."}) {
    const StateDict net = small_resnet(prefix, true);
    for (const File& file : {net.pytorch(), net.safetensors()}) {
      const auto made = convert(file);
      ASSERT_TRUE(made) << describe(made.error());
      EXPECT_EQ(made->table.convs, kSmallConvs);
      EXPECT_EQ(made->table.linears,
                (std::vector<CnnLayer>{{1, 1, 0, 16, 6, 0}, {1, 1, 0, 6, 5, 0}}));
      EXPECT_EQ(made->table.batch_norms.size(), 2U);
      EXPECT_EQ(made->table.batch_norms[0].out, 16);
    }
  }
}

TEST(CnnPlan, BottlenecksHaveTheirStrideInTheMiddle) {
  StateDict net;
  net.add_conv("conv1", 4, 3, 7).add_norm("bn1", 4);
  net.add_block("layer1.0", {4, 2, 2, 8}, {1, 3, 1}, true);
  net.add_block("layer2.0", {8, 3, 3, 12}, {1, 3, 1}, true).add_linear("fc", 5, 12);
  const auto made = convert(net.pytorch());
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(made->table.convs, (std::vector<CnnLayer>{{7, 2, 3, 3, 4, 1},
                                                      {1, 1, 0, 4, 2, 1},
                                                      {3, 1, 1, 2, 2, 1},
                                                      {1, 1, 0, 2, 8, 1},
                                                      {1, 1, 0, 4, 8, 1},
                                                      {1, 1, 0, 8, 3, 1},
                                                      {3, 2, 1, 3, 3, 1},
                                                      {1, 1, 0, 3, 12, 1},
                                                      {1, 2, 0, 8, 12, 1}}));
}

TEST(CnnPlan, LeavesOutTensorsBesideTheStateDict) {
  StateDict net = small_resnet("state_dict.", false);
  net.add("optimizer.state.0.momentum_buffer", {4});
  const auto made = convert(net.pytorch());
  ASSERT_TRUE(made) << describe(made.error());
  ASSERT_EQ(made->warnings.size(), 1U);
  EXPECT_NE(made->warnings[0].message.find("1 tensors"), std::string::npos);
}

TEST(CnnPlan, ReportsUnsupportedNetworks) {
  const auto block = [] {
    StateDict net;
    return net.add_conv("conv1", 4, 3, 7)
        .add_norm("bn1", 4)
        .add_block("layer1.0", {4, 4, 4}, {3, 3}, false);
  };
  const std::pair<StateDict, std::pair<ErrorCode, const char*>> kFaults[] = {
      {StateDict().add("a.weight", {2, 3, 4}), {ErrorCode::Unsupported, "a.weight"}},
      {StateDict().add("a.weight", {2, 3, 3, 5}), {ErrorCode::Unsupported, "a.weight"}},
      {StateDict().add("a.weight", {5}).add("a.bias", {5}), {ErrorCode::Unsupported, "a.weight"}},
      {StateDict().add("a.bias", {5}), {ErrorCode::Unsupported, "a.bias"}},
      {StateDict().add("a.in_proj_weight", {5}), {ErrorCode::Unsupported, "a.in_proj_weight"}},
      {StateDict().add("a.weight", {2, 3}).add("a.bias", {3}), {ErrorCode::Mismatch, "a.bias"}},
      {StateDict().add("a.num_batches_tracked", {1}), {ErrorCode::NotFound, "tensors"}},
      {StateDict().add("lonely", {1}), {ErrorCode::Unsupported, "lonely"}},
      {StateDict().add("a.weight", {0, 3}), {ErrorCode::Unsupported, "a.weight"}},
      {block().add_conv("layer2.0.conv1", 4, 2, 3),
       {ErrorCode::Unsupported, "layer2.0.conv1.weight"}},
      {block().add_conv("layer2.0.conv1", 4, 4, 3), {ErrorCode::NotFound, "layer2.0.bn1"}},
      {block().add_conv("layer2.0.conv1", 4, 4, 2),
       {ErrorCode::Unsupported, "layer2.0.conv1.weight"}},
      {block().add_conv("aux", 4, 4, 3), {ErrorCode::Unsupported, "aux.weight"}},
      {StateDict().add_conv("layer1.0.conv1", 4, 4, 3), {ErrorCode::NotFound, "conv1"}}};
  for (const auto& [net, expected] : kFaults) {
    const auto made = convert(net.pytorch());
    ASSERT_FALSE(made) << expected.second;
    EXPECT_EQ(made.error().code, expected.first) << describe(made.error());
    EXPECT_EQ(made.error().path, expected.second) << describe(made.error());
  }
}

TEST(CnnPlan, ConvertsRealNetworks) {
  AMBRY_NEEDS_DATA("cnn/mnist-conv-bn-burn", "cnn/resnet-cifar10");
  const auto folder = ambry::testing::data_folder() / "cnn";
  const auto resnet =
      convert(*ambry::testing::read_file(folder / "resnet-cifar10/resnet20.safetensors"));
  ASSERT_TRUE(resnet) << describe(resnet.error());
  EXPECT_EQ(resnet->table.convs.size(), 19U);
  EXPECT_EQ(resnet->table.convs[7], (CnnLayer{3, 2, 1, 16, 32, 1}));
  EXPECT_EQ(resnet->table.n_classes, 10);
  // Two blocks change the shape without a layer for it.
  ASSERT_EQ(resnet->warnings.size(), 2U);
  EXPECT_EQ(resnet->warnings[0].path, "layer2.0.");
  std::vector<std::pair<std::string, std::string>> facts;
  for (const std::string conv : {"conv.0.", "conv.1.", "conv.2."}) {
    facts.push_back({conv + "stride", "1"});
    facts.push_back({conv + "pad", "0"});
  }
  const auto mnist =
      convert(*ambry::testing::read_file(folder / "mnist-conv-bn-burn/mnist.pt"), facts);
  ASSERT_TRUE(mnist) << describe(mnist.error());
  EXPECT_EQ(mnist->table.convs.size(), 3U);
  EXPECT_EQ(mnist->table.linears.size(), 2U);
  EXPECT_EQ(mnist->table.batch_norms.size(), 1U);
}

}  // namespace
}  // namespace ambry::convert
