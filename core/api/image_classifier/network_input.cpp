#include "api/image_classifier/network_input.h"

#include "base/checked.h"
#include "infer/cnn/image.h"

namespace ambry::api {
namespace {

// The image size of torchvision's networks.
constexpr uint32_t kDefaultSide = 224;
constexpr uint64_t kMaxPixels = uint64_t{1} << 26;

std::optional<model::CnnImage> image_of(const NetworkFacts& network) {
  if (network.plan) return network.plan->image;
  const auto& convs = network.table.convs;
  return model::default_image(convs.empty() ? 0 : static_cast<uint32_t>(convs[0].in));
}

}  // namespace

Result<std::span<float>> NetworkInput::tensor(uint64_t n_values) {
  const auto bytes = checked_mul(n_values, sizeof(float));
  if (!bytes) return make_error(ErrorCode::Overflow, "input", "the input's size passes 64 bits");
  AMBRY_TRY(values_, AlignedBuffer::allocate(*bytes));
  width_ = height_ = 0;
  return values_.as<float>();
}

Result<MutableBytes> NetworkInput::picture(const NetworkFacts& network, uint64_t width,
                                           uint64_t height) {
  if (!image_of(network)) {
    return make_error(
        ErrorCode::Unsupported, "picture",
        "the network needs a plan with `image`, which says how pictures become values, such as "
        "{\"mean\": [0.5], \"std\": [0.25], \"resize\": \"crop\"}");
  }
  if (width == 0 || height == 0)
    return make_error(ErrorCode::BadValue, "picture", "the picture has no pixels");
  const auto pixels = checked_mul(width, height);
  if (!pixels || *pixels > kMaxPixels) {
    return make_error(ErrorCode::LimitExceeded, "picture",
                      {"the picture has more than ", kMaxPixels, " pixels"});
  }
  AMBRY_TRY(picture_, AlignedBuffer::allocate(*pixels * 4));
  width_ = static_cast<uint32_t>(width);
  height_ = static_cast<uint32_t>(height);
  return picture_.bytes();
}

Result<model::CnnGraph> NetworkInput::graph(const NetworkFacts& network) const {
  if (network.plan) return network.plan->graph;
  if (is_picture()) return model::residual_graph(network.table, kDefaultSide);
  return model::residual_graph_of(network.table, values_.as<float>().size());
}

Result<std::span<const float>> NetworkInput::values(const NetworkFacts& network,
                                                    const model::CnnShape& shape) {
  if (is_picture()) {
    AMBRY_TRY(values_, AlignedBuffer::allocate(shape.count() * sizeof(float)));
    AMBRY_RETURN_IF_ERROR(infer::image_to_input({width_, height_, picture_.bytes()},
                                                *image_of(network), shape, values_.as<float>()));
  }
  return std::span<const float>(values_.as<float>());
}

}  // namespace ambry::api
