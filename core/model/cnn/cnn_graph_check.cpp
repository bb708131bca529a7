#include <algorithm>
#include <array>
#include <string>

#include "base/checked.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::model {
namespace {

// Beyond any real network, but low enough that a map fits 32-bit memory and products fit 64 bits.
constexpr uint64_t kMaxValues = uint64_t{1} << 26;
constexpr uint64_t kMaxGraphExtent = uint64_t{1} << 20;
constexpr uint64_t kMaxProducts = uint64_t{1} << 40;

struct Window {
  uint64_t kernel;
  uint64_t stride;
  uint64_t padding;
};

std::string form_of(const CnnShape& shape) {
  return concat({shape.channels, " x ", shape.height, " x ", shape.width});
}

// Checks a graph node by node.
class GraphCheck {
 public:
  GraphCheck(const CnnGraph& graph, const CnnTable& table) : graph_(graph), table_(table) {
    for (const CnnKind kind : kCnnKinds) used_[index_of(kind)].resize(table.of(kind).size());
    users_.resize(graph.nodes.size() + 1);
  }

  Result<std::vector<CnnShape>> run() {
    AMBRY_RETURN_IF_ERROR(check_input());
    for (node_ = 0; node_ < graph_.nodes.size(); ++node_) {
      AMBRY_RETURN_IF_ERROR(check_operands());
      AMBRY_RETURN_IF_ERROR(check_points());
      AMBRY_TRY(const CnnShape shape, shape_of(graph_.nodes[node_]));
      if (shape.count() > kMaxValues) return fail(ErrorCode::LimitExceeded, too_large(shape));
      shapes_.push_back(shape);
    }
    AMBRY_RETURN_IF_ERROR(check_uses());
    if (table_.variant == CnnVariant::Sq8) AMBRY_RETURN_IF_ERROR(check_bytes());
    return std::move(shapes_);
  }

 private:
  static constexpr size_t index_of(CnnKind kind) { return static_cast<size_t>(kind); }

  [[nodiscard]] Failure fail(ErrorCode code, const Text& message) const {
    const std::string_view name = cnn_op_form(graph_.nodes[node_].op).name;
    return make_error(code, {"plan.nodes[", uint64_t{node_}, "]"}, {name, ": ", message.str()});
  }
  static std::string too_large(const CnnShape& shape) {
    return concat({"the map ", form_of(shape), " has more than ", kMaxValues, " values"});
  }

  Result<void> check_input() {
    const CnnShape& input = graph_.input;
    for (const uint32_t extent : {input.channels, input.height, input.width}) {
      if (extent >= 1 && extent <= kMaxGraphExtent) continue;
      return make_error(ErrorCode::BadValue, "plan.input",
                        {form_of(input), ": each dimension must be from 1 to ", kMaxGraphExtent});
    }
    const auto count = checked_mul(input.plane(), uint64_t{input.channels});
    if (!count || *count > kMaxValues) {
      return make_error(ErrorCode::LimitExceeded, "plan.input", too_large(input));
    }
    if (graph_.nodes.size() > kMaxCnnNodes) {
      return make_error(ErrorCode::LimitExceeded, "plan.nodes",
                        {uint64_t{graph_.nodes.size()}, " nodes, but at most ",
                         uint64_t{kMaxCnnNodes}, " are allowed"});
    }
    shapes_ = {input};
    return {};
  }

  Result<void> check_operands() {
    const CnnNode& node = graph_.nodes[node_];
    const bool two = cnn_op_form(node.op).n_operands == 2;
    if (std::max(node.in, two ? node.other : 0) > node_) {
      return fail(ErrorCode::BadValue, "uses a value that is computed later");
    }
    ++users_[node.in];
    if (two) ++users_[node.other];
    return {};
  }

  // Bytes stay bytes. Only results of float operations are quantized again.
  Result<void> check_points() const {
    const CnnNode& node = graph_.nodes[node_];
    const bool floats = node.op == CnnOp::AveragePool || node.op == CnnOp::Add ||
                        node.op == CnnOp::ConcatPool || node.op == CnnOp::BatchNorm;
    if (node.quantize.empty() || floats) return {};
    return fail(ErrorCode::BadValue,
                "quantize is allowed only where the result is computed in floats");
  }

  // The node's entry in the table, which no other node may use.
  Result<const CnnLayer*> layer(CnnKind kind) {
    const uint32_t index = graph_.nodes[node_].index;
    std::vector<bool>& used = used_[index_of(kind)];
    if (index >= used.size()) {
      return fail(ErrorCode::BadValue, {"there is no entry ", index, "; the table has ",
                                        uint64_t{used.size()}, " entries"});
    }
    if (used[index])
      return fail(ErrorCode::BadValue, {"entry ", index, " is already used by another node"});
    used[index] = true;
    return &table_.of(kind)[index];
  }

  Result<CnnShape> shape_of(const CnnNode& node) {
    const CnnShape& in = shapes_[node.in];
    switch (node.op) {
      case CnnOp::Conv:
        return conv(in);
      case CnnOp::MaxPool:
      case CnnOp::AveragePool:
        return pool(node, in);
      case CnnOp::Add:
        if (shapes_[node.other] == in) return in;
        return fail(ErrorCode::Mismatch,
                    {form_of(in), " and ", form_of(shapes_[node.other]), " have different shapes"});
      case CnnOp::ConcatPool:
        if (in.height == in.width) return CnnShape{in.channels * 2};
        return fail(ErrorCode::Mismatch, {form_of(in), " is not square"});
      case CnnOp::Flatten:
        return CnnShape{static_cast<uint32_t>(in.count())};
      case CnnOp::BatchNorm:
      case CnnOp::Linear:
        return dense(node, in);
      case CnnOp::PadChannels:
        if (std::max(node.before, node.after) > kMaxGraphExtent) {
          return fail(ErrorCode::BadValue, {"more than ", kMaxGraphExtent, " channels"});
        }
        return CnnShape{in.channels + node.before + node.after, in.height, in.width};
      case CnnOp::Softmax:
        if (node_ + 1 == graph_.output) return in;
        return fail(ErrorCode::BadValue, "is allowed only at the end");
      default:
        return in;
    }
  }

  Result<CnnShape> slide(const CnnShape& in, const Window& window, uint64_t channels) const {
    const uint64_t rows = in.height + 2 * window.padding;
    const uint64_t columns = in.width + 2 * window.padding;
    if (rows < window.kernel || columns < window.kernel) {
      return fail(ErrorCode::Mismatch, {"a window of ", window.kernel, " does not fit into ",
                                        form_of(in), " with padding ", window.padding});
    }
    // The padded map in memory counts.
    const auto padded = checked_mul(rows * columns, uint64_t{in.channels});
    const uint64_t height = (rows - window.kernel) / window.stride + 1;
    const uint64_t width = (columns - window.kernel) / window.stride + 1;
    const auto count = checked_mul(height * width, channels);
    if (!padded || !count || std::max(*padded, *count) > kMaxValues) {
      return fail(ErrorCode::LimitExceeded, {"a map has more than ", kMaxValues, " values"});
    }
    return CnnShape{static_cast<uint32_t>(channels), static_cast<uint32_t>(height),
                    static_cast<uint32_t>(width)};
  }

  Result<CnnShape> conv(const CnnShape& in) {
    AMBRY_TRY(const CnnLayer* conv, layer(CnnKind::Conv));
    const auto channels = static_cast<uint32_t>(conv->in);
    if (channels != in.channels) {
      return fail(ErrorCode::Mismatch, {"expects ", channels, " channels, but gets ", form_of(in)});
    }
    const Window window{static_cast<uint64_t>(conv->kernel), static_cast<uint64_t>(conv->stride),
                        static_cast<uint64_t>(conv->padding)};
    AMBRY_TRY(const CnnShape out, slide(in, window, static_cast<uint64_t>(conv->out)));
    const auto products = checked_mul(conv->row(), out.count());
    if (!products || *products > kMaxProducts - products_) {
      return fail(ErrorCode::LimitExceeded, {"needs more than ", kMaxProducts, " multiplications"});
    }
    products_ += *products;
    return out;
  }

  Result<CnnShape> pool(const CnnNode& node, const CnnShape& in) {
    if (node.kernel < 1 || node.stride < 1 || node.padding >= node.kernel ||
        std::max(node.kernel, node.stride) > kMaxGraphExtent) {
      return fail(ErrorCode::BadValue,
                  "kernel and stride must be at least 1, and the padding less than the kernel");
    }
    return slide(in, {node.kernel, node.stride, node.padding}, in.channels);
  }

  Result<CnnShape> dense(const CnnNode& node, const CnnShape& in) {
    const bool norm = node.op == CnnOp::BatchNorm;
    AMBRY_TRY(const CnnLayer* dense, layer(norm ? CnnKind::BatchNorm : CnnKind::Linear));
    if (!norm && in.plane() != 1) {
      return fail(ErrorCode::Mismatch, {"gets the map ", form_of(in), "; flatten it first"});
    }
    const auto wanted = static_cast<uint32_t>(dense->in);
    if (wanted != in.channels) {
      return fail(ErrorCode::Mismatch, {"expects ", wanted, " inputs, but gets ", form_of(in)});
    }
    if (norm) return in;
    return CnnShape{static_cast<uint32_t>(dense->out)};
  }

  Result<void> check_uses() const {
    if (graph_.output > graph_.nodes.size()) {
      return make_error(ErrorCode::BadValue, "plan.output", "there is no such value in the plan");
    }
    for (size_t value = 0; value < users_.size(); ++value) {
      if (users_[value] > 0 || value == graph_.output) continue;
      const std::string path =
          value == 0 ? "plan.input" : concat({"plan.nodes[", uint64_t{value - 1}, "]"});
      return make_error(ErrorCode::BadValue, path, "the value is not used");
    }
    for (const CnnKind kind : kCnnKinds) {
      const std::vector<bool>& used = used_[index_of(kind)];
      const auto unused = std::ranges::find(used, false);
      if (unused == used.end()) continue;
      const auto index = static_cast<uint64_t>(unused - used.begin());
      return make_error(ErrorCode::BadValue, "plan.nodes",
                        {cnn_kind_name(kind), " ", index, " of the table is not used"});
    }
    return {};
  }

  // SQ8: every activation that the graph names must be in the table.
  Result<void> check_bytes() {
    const CnnActivationIndices numbering = index_activations(graph_);
    const auto n_activations = static_cast<uint64_t>(table_.activations.size());
    for (size_t value = 0; value < numbering.points.size(); ++value) {
      for (const uint32_t point : numbering.points[value]) {
        if (point < n_activations) continue;
        return make_error(
            ErrorCode::BadValue,
            value == 0 ? "plan.input" : concat({"plan.nodes[", uint64_t{value - 1}, "]"}),
            {"there is no activation ", point, "; the table has ", n_activations});
      }
    }
    return {};
  }

  const CnnGraph& graph_;
  const CnnTable& table_;
  size_t node_ = 0;
  uint64_t products_ = 0;
  std::vector<CnnShape> shapes_;
  std::vector<uint32_t> users_;  // how many nodes use each value
  std::array<std::vector<bool>, std::size(kCnnKinds)> used_;
};

}  // namespace

Result<std::vector<CnnShape>> check_graph(const CnnGraph& graph, const CnnTable& table) {
  return GraphCheck(graph, table).run();
}

}  // namespace ambry::model
