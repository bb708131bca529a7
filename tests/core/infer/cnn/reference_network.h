// A scalar implementation of core/formats/tinyruntime/README.md#arithmetic with every patch in
// memory: the reference for tests and benchmarks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/concat.h"
#include "infer/cnn/read_network.h"
#include "infer/cnn/reference_dq8.h"
#include "infer/cnn/reference_f32.h"
#include "infer/cnn/reference_sq8.h"
#include "model/cnn/cnn_graph.h"

namespace ambry::infer::testing {

class ReferenceNetwork {
 public:
  ReferenceNetwork(const File& file, model::CnnGraph graph)
      : model_(parse(file)), graph_(std::move(graph)) {
    table_ = *model::cnn_table(model_.config);
    shapes_ = *model::check_graph(graph_, table_);
    points_ = model::index_activations(graph_).points;
    for (const model::CnnKind kind : model::kCnnKinds) {
      for (size_t i = 0; i < table_.of(kind).size(); ++i) {
        layers_[static_cast<size_t>(kind)].push_back(read(file, kind, i));
      }
    }
  }

  std::vector<float> run(const std::vector<float>& input) {
    values_.assign(1, keep({input, {}, {}}, 0));
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      values_.push_back(keep(node(graph_.nodes[i], i), i + 1));
    }
    return floats(values_[graph_.output]);
  }

 private:
  ReferenceLayer read(const File& file, model::CnnKind kind, size_t i) const {
    const std::string name = concat({model::cnn_kind_name(kind), ".", uint64_t{i}, "."});
    const auto f32 = [&](const char* part) { return tensor_of<float>(file, model_, name + part); };
    const auto i32 = [&](const char* part) {
      return tensor_of<int32_t>(file, model_, name + part);
    };
    const auto i8 = [&](const char* part) { return tensor_of<int8_t>(file, model_, name + part); };
    const bool floats =
        kind == model::CnnKind::BatchNorm || table_.variant == model::CnnVariant::Vanilla;
    ReferenceLayer layer;
    layer.entry = table_.of(kind)[i];
    if (floats) {
      layer.weight = f32("weight");
      layer.bias = f32("bias");
      layer.mean = f32("running_mean");
      layer.variance = f32("running_var");
      return layer;
    }
    layer.codes = i8("weight");
    layer.bias_codes = i8("bias");
    if (table_.variant == model::CnnVariant::Sq8) layer.bias_words = i32("bias");
    layer.scales = f32("weight.scale");
    layer.zeros = i32("weight.zero_point");
    layer.bias_scales = f32("bias.scale");
    layer.bias_zeros = i32("bias.zero_point");
    return layer;
  }

  ReferenceValue keep(ReferenceValue value, size_t at) const {
    if (table_.variant != model::CnnVariant::Sq8 || !value.codes.empty()) return value;
    for (const uint32_t point : points_[at]) {
      const model::CnnActivation& form = table_.activations[point];
      const std::vector<float> values = floats(value);
      value = {{}, {}, form};
      for (const float v : values) value.codes.push_back(byte_of(v / form.scale, form.zero_point));
    }
    return value;
  }

  ReferenceValue layer(const model::CnnNode& node, size_t i) const {
    const auto kind = node.op == model::CnnOp::Conv ? model::CnnKind::Conv : model::CnnKind::Linear;
    const ReferenceLayer& layer = layers_[static_cast<size_t>(kind)][node.index];
    const ReferenceValue& in = values_[node.in];
    const model::CnnShape& from = shapes_[node.in];
    const model::CnnShape& to = shapes_[i + 1];
    switch (table_.variant) {
      case model::CnnVariant::Vanilla:
        return reference_f32_layer(layer, patches(in.floats, from, to, layer.entry, 0.0F), to);
      case model::CnnVariant::Dq8:
        return reference_dq8_layer(layer, patches(in.floats, from, to, layer.entry, 0.0F), to,
                                   table_.asymmetric);
      default:
        return reference_sq8_layer(
            layer, in,
            patches(in.codes, from, to, layer.entry, static_cast<uint8_t>(in.form.zero_point)), to);
    }
  }

  template <class T>
  static std::vector<T> max_pool(const std::vector<T>& in, const model::CnnNode& node,
                                 const model::CnnShape& from, const model::CnnShape& to) {
    model::CnnLayer window;
    window.kernel = static_cast<int32_t>(node.kernel);
    window.stride = static_cast<int32_t>(node.stride);
    window.padding = static_cast<int32_t>(node.padding);
    window.in = 1;
    std::vector<T> out;
    const auto plane = static_cast<ptrdiff_t>(from.plane());
    for (ptrdiff_t c = 0; c < static_cast<ptrdiff_t>(from.channels); ++c) {
      const std::vector<T> one(in.begin() + c * plane, in.begin() + (c + 1) * plane);
      const std::vector<T> rows =
          patches(one, {1, from.height, from.width}, {1, to.height, to.width}, window, T{});
      const size_t n = node.kernel * node.kernel;
      for (size_t at = 0; at < rows.size(); at += n) {
        T largest = 0;
        for (size_t j = 0; j < n; ++j) largest = std::max(largest, rows[at + j]);
        out.push_back(largest);
      }
    }
    return out;
  }

  ReferenceValue relu(ReferenceValue value) const {
    for (uint8_t& code : value.codes) {
      code = std::max(code, static_cast<uint8_t>(value.form.zero_point));
    }
    for (float& v : value.floats) v = v > 0 ? v : 0;
    return value;
  }

  ReferenceValue norm(const ReferenceLayer& layer, std::vector<float> values,
                      const model::CnnShape& shape) const {
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t c = i / static_cast<size_t>(shape.plane());
      const float t = values[i] - layer.mean[c];
      const float v = layer.variance[c] + 1e-5F;
      values[i] = static_cast<float>(t / std::sqrt(static_cast<double>(v)) *
                                         static_cast<double>(layer.weight[c]) +
                                     static_cast<double>(layer.bias[c]));
    }
    return {std::move(values), {}, {}};
  }

  static ReferenceValue concat_pool(const std::vector<float>& in, const model::CnnShape& from) {
    const auto plane = static_cast<size_t>(from.plane());
    std::vector<float> out(2 * size_t{from.channels});
    for (size_t c = 0; c < from.channels; ++c) {
      float sum = 0;
      for (size_t i = 0; i < plane; ++i) {
        out[c] = std::max(out[c], in[c * plane + i]);
        sum += in[c * plane + i];
      }
      out[from.channels + c] = sum / static_cast<float>(plane);
    }
    return {std::move(out), {}, {}};
  }

  ReferenceValue node(const model::CnnNode& node, size_t i) const {
    const ReferenceValue& in = values_[node.in];
    const model::CnnShape& from = shapes_[node.in];
    switch (node.op) {
      case model::CnnOp::Conv:
      case model::CnnOp::Linear:
        return layer(node, i);
      case model::CnnOp::Relu:
        return relu(in);
      case model::CnnOp::MaxPool:
        if (in.codes.empty()) return {max_pool(in.floats, node, from, shapes_[i + 1]), {}, {}};
        return {{}, max_pool(in.codes, node, from, shapes_[i + 1]), in.form};
      case model::CnnOp::Add: {
        std::vector<float> sum = floats(in);
        const std::vector<float> other = floats(values_[node.other]);
        for (size_t k = 0; k < sum.size(); ++k) sum[k] += other[k];
        return {std::move(sum), {}, {}};
      }
      case model::CnnOp::ConcatPool:
        return concat_pool(floats(in), from);
      case model::CnnOp::BatchNorm:
        return norm(layers_[static_cast<size_t>(model::CnnKind::BatchNorm)][node.index], floats(in),
                    from);
      default:
        assert(node.op == model::CnnOp::Flatten);
        return in;
    }
  }

  model::Model model_;
  model::CnnGraph graph_;
  model::CnnTable table_;
  std::vector<model::CnnShape> shapes_;
  std::vector<std::vector<uint32_t>> points_;
  std::array<std::vector<ReferenceLayer>, std::size(model::kCnnKinds)> layers_;
  std::vector<ReferenceValue> values_;
};

}  // namespace ambry::infer::testing
