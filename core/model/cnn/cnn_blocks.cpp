#include "model/cnn/cnn_blocks.h"

#include "base/concat.h"

namespace ambry::model {
namespace {

Failure unknown(const Text& path, const Text& message) {
  return make_error(ErrorCode::Unsupported, path, message);
}

bool is_conv(const CnnLayer& conv, int32_t kernel, int32_t in) {
  return conv.kernel == kernel && conv.padding == kernel / 2 && conv.in == in;
}

class BlockReader {
 public:
  explicit BlockReader(const std::vector<CnnLayer>& convs) : convs_(convs) {}

  Result<std::vector<CnnBlock>> read() {
    if (convs_.empty()) return unknown("conv", "a residual network must start with a conv");
    channels_ = convs_[0].out;
    std::vector<CnnBlock> blocks;
    for (next_ = 1; next_ < convs_.size();) {
      AMBRY_TRY(const CnnBlock block, block_at_next());
      blocks.push_back(block);
      next_ += block.n_convs + (block.shortcut ? 1 : 0);
    }
    if (blocks.empty()) return unknown("conv[1]", "a residual network must have blocks of convs");
    return blocks;
  }

  [[nodiscard]] int32_t channels() const { return channels_; }

 private:
  // Whether the next convs have these kernels, each with the output channels of the one before as
  // input.
  [[nodiscard]] bool fits(std::initializer_list<int32_t> kernels) const {
    int32_t channels = channels_;
    size_t at = next_;
    for (const int32_t kernel : kernels) {
      if (at == convs_.size() || !is_conv(convs_[at], kernel, channels)) return false;
      channels = convs_[at++].out;
    }
    return true;
  }

  Result<CnnBlock> block_at_next() {
    CnnBlock block{next_};
    if (fits({1, 3, 1})) {
      block.n_convs = 3;
    } else if (!fits({3, 3})) {
      return unknown({"conv[", uint64_t{next_}, "]"},
                     "expected the start of a residual block here");
    }
    int32_t stride = 1;
    for (size_t i = 0; i < block.n_convs; ++i) stride *= convs_[next_ + i].stride;
    const size_t after = next_ + block.n_convs;
    const int32_t out = convs_[after - 1].out;
    block.shortcut = stride != 1 || out != channels_;
    const bool there = after < convs_.size() && is_conv(convs_[after], 1, channels_) &&
                       convs_[after].out == out && convs_[after].stride == stride;
    if (block.shortcut && !there) {
      return unknown({"conv[", uint64_t{after}, "]"},
                     "the block before it changes the shape, so a shortcut conv is needed here");
    }
    channels_ = out;
    return block;
  }

  const std::vector<CnnLayer>& convs_;
  size_t next_ = 0;
  int32_t channels_ = 0;
};

// Max and average pooling, then batch norm, linear, batch norm, linear.
Result<void> check_head(const CnnTable& table, int32_t channels) {
  if (table.linears.size() != 2 || table.batch_norms.size() != 2) {
    return unknown("linear",
                   {"the head must have two linear layers and two batch norms, but has ",
                    uint64_t{table.linears.size()}, " and ", uint64_t{table.batch_norms.size()}});
  }
  const CnnLayer& first = table.linears[0];
  const bool chained = table.batch_norms[0].out == 2 * channels && first.in == 2 * channels &&
                       table.batch_norms[1].out == first.out && table.linears[1].in == first.out;
  if (chained) return {};
  return unknown("linear[0]", "the shapes of the head's layers do not match");
}

}  // namespace

Result<std::vector<CnnBlock>> cnn_blocks(const CnnTable& table) {
  BlockReader reader(table.convs);
  AMBRY_TRY(auto blocks, reader.read());
  AMBRY_RETURN_IF_ERROR(check_head(table, reader.channels()));
  return blocks;
}

}  // namespace ambry::model
