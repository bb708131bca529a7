// Reads a graph node by node, in the order of the file; see read_network.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "convert/onnx/cnn/op_rules.h"
#include "convert/onnx/cnn/read_network.h"
#include "convert/onnx/cnn/shape_numbers.h"

namespace ambry::convert::onnx {

inline constexpr uint64_t kMaxCnnExtent = uint64_t{1} << 20;

// Whether these are the axes of height and width of a map.
[[nodiscard]] bool are_plane(std::vector<int64_t> axes);

// A value of the graph that is a picture, a map or a vector.
struct NetworkMap {
  uint32_t value = 0;  // in the plan
  model::CnnShape shape;
  bool is_flat = false;                // [batch, n] in ONNX, without axes of height and width
  bool is_positive = false;            // no number is below 0
  uint32_t layer = GraphLayer::kNone;  // whose result this is, if nothing is done to it yet
  // The half of a concat pool: the maxima or means of the map `pooled`, which is not in the plan.
  enum class Half : uint8_t { None, Maxima, Means } half = Half::None;
  uint32_t pooled = 0;
};

// What is known of a value by its name.
struct KnownValue {
  enum class Kind : uint8_t { Unknown, Map, Numbers, Constant } kind = Kind::Unknown;
  NetworkMap map;
  ShapeNumbers numbers;
};

class NetworkReader {
 public:
  explicit NetworkReader(const OnnxFile& file)
      : file_(file), known_(file.model().names.size()), uses_(known_.size()) {}

  Result<GraphNetwork> run(const formats::onnx::ValueInfo& input);

 private:
  using Map = NetworkMap;
  using Known = KnownValue;
  using Node = formats::onnx::Node;

  Result<void> check_model() const;
  Result<void> read_input(const formats::onnx::ValueInfo& info);
  Result<void> count_uses();
  Result<void> take(const Node& node);
  Result<Known> result_of(const Node& node, CnnOperator op);
  Result<std::optional<Known>> constant_result(const Node& node, CnnOperator op);
  Result<Known> shape_result(const Node& node);
  Result<Map> map_result(const Node& node, CnnOperator op, const Map& in);
  Result<void> read_output();
  Result<void> check_all_used() const;

  Result<Map> conv(const Node& node, const Map& in);
  Result<Map> batch_norm(const Node& node, const Map& in);
  Result<Map> pool(const Node& node, const Map& in, model::CnnOp op);
  Result<Map> whole_pool(const Node& node, const Map& in, model::CnnOp op, bool is_flat);
  Result<Map> reduce_mean(const Node& node, const Map& in);
  Result<Map> add(const Node& node);
  Result<Map> concat_pool(const Node& node);
  Result<Map> same(const Node& node, const Map& in);
  Result<Map> reshape(const Node& node, const Map& in);
  Result<Map> squeeze(const Node& node, const Map& in);
  Result<Map> flattened(const Map& in);
  Result<Map> gemm(const Node& node, const Map& in);
  Result<Map> mat_mul(const Node& node, const Map& in);
  Result<Map> linear(const Node& node, const Map& in, Input weight, NameId bias, bool turns);
  Result<Map> softmax(const Node& node, const Map& in);

  Result<Input> weight_of(const Node& node, NameId value, size_t rank);
  Result<uint32_t> vector_of(const Node& node, NameId value, uint64_t n);
  Result<const Map*> map_of(const Node& node, NameId value);
  Result<std::vector<int64_t>> axes_of(const Node& node, int64_t as_input_since);
  [[nodiscard]] bool is_constant(NameId value) const;
  [[nodiscard]] bool is_before_relu(NameId value) const;
  uint32_t keep(Input weight);
  Map append(const Map& in, model::CnnOp op, model::CnnShape shape, model::CnnNode node = {});
  uint32_t add_layer(GraphLayer layer);

  struct Uses {
    uint32_t count = 0;
    uint32_t relus = 0;
    uint32_t concats = 0;
  };

  const OnnxFile& file_;
  std::vector<Known> known_;   // by name
  std::vector<Uses> uses_;     // by name
  std::vector<bool> is_read_;  // by value of the plan
  std::array<uint32_t, std::size(model::kCnnKinds)> counts_{};
  int64_t batch_ = kAnyBatch;
  GraphNetwork network_;
};

}  // namespace ambry::convert::onnx
