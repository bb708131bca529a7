// Converts and runs networks that others trained. Compares their logits with PyTorch's, and
// measures the loss by quantization.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "api/image_classifier/calibration.h"
#include "api/image_classifier/ranges_json.h"
#include "api/loading/fill_sink.h"
#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/safetensors/safetensors_parse.h"
#include "infer/cnn/read_network.h"
#include "model/cnn/cnn_plan.h"
#include "repetitions.h"

namespace ambry::api {
namespace {

using File = std::vector<uint8_t>;

constexpr const char* kDigits = R"({"input": [1, 28, 28], "ops": ["conv", "relu", "conv", "relu",
    "conv", "relu", "batchnorm", "flatten", "linear", "relu", "linear", "batchnorm"]})";

// ResNet-20 for CIFAR-10. Where a block halves the size, its shortcut takes every second pixel and
// adds channels of zeros.
std::string small_pictures_plan() {
  std::string nodes = R"(["conv", 0, "x", "a"], ["relu", "a", "a"])";
  uint32_t conv = 1;
  for (uint32_t block = 0; block < 9; ++block) {
    nodes += concat({R"(, ["conv", )", conv, R"(, "a", "b"], ["relu", "b", "b"], ["conv", )",
                     conv + 1, R"(, "b", "b"])"});
    conv += 2;
    if (block == 3 || block == 6) {
      const uint32_t more = block == 3 ? 8 : 16;
      nodes += concat({R"(, ["maxpool", 1, 2, 0, "a", "a"], ["pad_channels", )", more, ", ", more,
                       R"(, "a", "a"])"});
    }
    nodes += R"(, ["add", "b", "a", "a"], ["relu", "a", "a"])";
  }
  return R"({"input": [3, 32, 32], "nodes": [)" + nodes +
         R"(, ["avgpool", 8, 8, 0, "a", "a"], ["flatten", "a", "a"], ["linear", 0, "a", "y"]]})";
}

template <class T>
std::vector<T> tensor_of(const File& file, const char* name) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  const auto model = formats::safetensors::parse(source, found, {});
  return infer::testing::tensor_of<T>(file, *model, name);
}

struct Network {
  File vanilla;
  std::string plan;
  std::vector<std::vector<float>> images;
  std::vector<float> logits;  // from PyTorch

  [[nodiscard]] std::vector<float> run(const File& file) const {
    const auto network = infer::CnnNetwork::create(infer::testing::read_weights(file),
                                                   model::read_cnn_plan(plan)->graph);
    EXPECT_TRUE(network) << describe(network.error());
    std::vector<float> all;
    for (const auto& image : images) {
      const auto output = infer::testing::run_network(*network, image);
      all.insert(all.end(), output->begin(), output->end());
    }
    return all;
  }

  // Leaves the pictures that this build has time for.
  void shorten() {
    const size_t n_classes = logits.size() / images.size();
    images.resize(ambry::testing::repetitions(images.size()));
    logits.resize(images.size() * n_classes);
  }

  [[nodiscard]] Result<File> quantize(const char* type) const {
    convert::Options options;
    options.to = "tinyruntime";
    options.quantize.emplace();
    options.quantize->type = type;
    if (std::string_view(type) == "sq8") {
      AMBRY_TRY(const std::string ranges, observe());
      AMBRY_TRY(options.quantize->ranges, read_ranges(*io::parse_json(ranges)));
    }
    return convert::testing::run(vanilla, {}, options);
  }

 private:
  [[nodiscard]] Result<std::string> observe() const {
    const io::MemorySource source(vanilla);
    AMBRY_TRY(auto calibration, Calibration::begin(source, plan));
    AMBRY_RETURN_IF_ERROR(testing::fill_sink(*calibration, vanilla));
    for (size_t i = 0; i < std::min<size_t>(images.size(), 50); ++i) {
      AMBRY_TRY(const std::span<float> room, calibration->image(images[i].size()));
      std::ranges::copy(images[i], room.begin());
      AMBRY_RETURN_IF_ERROR(calibration->run());
    }
    return calibration->ranges();
  }
};

class RealNetworks : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("cnn/mnist-conv-bn-burn", "cnn/resnet-cifar10");
    folder_ = ambry::testing::data_folder() / "cnn";
  }

  [[nodiscard]] File vanilla_of(const char* path, uint32_t n_stated_convs) const {
    convert::Options options;
    options.to = "tinyruntime";
    for (uint32_t i = 0; i < n_stated_convs; ++i) {
      options.metadata.emplace_back(concat({"conv.", i, ".stride"}), "1");
      options.metadata.emplace_back(concat({"conv.", i, ".pad"}), "0");
    }
    auto file = convert::testing::run(*ambry::testing::read_file(folder_ / path), {}, options);
    EXPECT_TRUE(file) << describe(file.error());
    return std::move(file).value();
  }

  [[nodiscard]] Network digits() const {
    const File file =
        *ambry::testing::read_file(folder_ / "mnist-conv-bn-burn/digits_dev.safetensors");
    Network network{vanilla_of("mnist-conv-bn-burn/mnist.safetensors", 3),
                    kDigits,
                    {},
                    tensor_of<float>(file, "logits")};
    const auto pixels = tensor_of<uint8_t>(file, "images_u8");
    for (size_t at = 0; at < pixels.size(); at += 784) {
      std::vector<float>& image = network.images.emplace_back();
      for (size_t i = at; i < at + 784; ++i) {
        image.push_back((static_cast<float>(pixels[i]) / 255.0F - 0.1307F) / 0.3081F);
      }
    }
    network.shorten();
    return network;
  }

  [[nodiscard]] Network small_pictures() const {
    const File file =
        *ambry::testing::read_file(folder_ / "resnet-cifar10/resnet20_synthetic_io.safetensors");
    Network network{vanilla_of("resnet-cifar10/resnet20.safetensors", 0),
                    small_pictures_plan(),
                    {},
                    tensor_of<float>(file, "logits")};
    const auto pixels = tensor_of<uint8_t>(file, "images_u8_nhwc");
    const auto usual = *model::default_image(3);
    for (size_t at = 0; at < pixels.size(); at += 3072) {
      std::vector<float>& image = network.images.emplace_back(3072);
      for (size_t i = 0; i < 3072; ++i) {
        const float value = static_cast<float>(pixels[at + i]) / 255.0F;
        image[i % 3 * 1024 + i / 3] = (value - usual.mean[i % 3]) / usual.deviation[i % 3];
      }
    }
    network.shorten();
    return network;
  }

  std::filesystem::path folder_;
};

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(double{a[i]} - b[i]));
  return largest;
}

std::vector<size_t> classes(const std::vector<float>& logits) {
  std::vector<size_t> all;
  for (auto at = logits.begin(); at != logits.end(); at += 10) {
    all.push_back(static_cast<size_t>(std::max_element(at, at + 10) - at));
  }
  return all;
}

size_t n_equal(const std::vector<size_t>& a, const std::vector<size_t>& b) {
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1U : 0U;
  return equal;
}

TEST_F(RealNetworks, MatchPytorchsLogits) {
  const Network digits_network = digits();
  EXPECT_LT(largest_difference(digits_network.run(digits_network.vanilla), digits_network.logits),
            1e-4);
  const Network pictures = small_pictures();
  EXPECT_LT(largest_difference(pictures.run(pictures.vanilla), pictures.logits), 1e-4);
}

TEST_F(RealNetworks, GiveTheSameAnswersWhenQuantized) {
  for (const Network& network : {digits(), small_pictures()}) {
    const auto exact = classes(network.logits);
    for (const char* type : {"dq8", "sq8"}) {
      const auto file = network.quantize(type);
      ASSERT_TRUE(file) << type << describe(file.error());
      const auto logits = network.run(*file);
      const size_t equal = n_equal(classes(logits), exact);
      RecordProperty(concat({type, "_of_", uint64_t{exact.size()}}), static_cast<int>(equal));
      EXPECT_GE(equal * 100, exact.size() * 98) << type << " of " << exact.size();
      EXPECT_LT(largest_difference(logits, network.logits), 4.0) << type;
    }
  }
}

}  // namespace
}  // namespace ambry::api
