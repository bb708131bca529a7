// A convolutional network run as tinyruntime.md §3 reads, one number after another and with every
// patch in memory: the oracle of the tests, and what the benchmark measures against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/concat.h"
#include "infer/cnn/read_network.h"
#include "model/cnn_graph.h"

namespace ambry::infer::testing {

class ScalarTwin {
 public:
  ScalarTwin(const File& file, model::CnnGraph graph)
      : model_(parse(file)), graph_(std::move(graph)) {
    table_ = *model::cnn_table(model_.config);
    shapes_ = *model::check_graph(graph_, table_);
    points_ = model::number_activations(graph_).points;
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
  struct Value {
    std::vector<float> floats;
    std::vector<uint8_t> codes;  // instead, in SQ8
    model::CnnActivation form;
  };
  struct Layer {
    model::CnnLayer entry;
    std::vector<float> weight, bias, mean, variance;
    std::vector<int8_t> codes, bias_codes;
    std::vector<int32_t> bias_words;
    std::vector<float> scales, bias_scales;
    std::vector<int32_t> zeros, bias_zeros;
  };

  Layer read(const File& file, model::CnnKind kind, size_t i) const {
    const std::string name = concat({model::cnn_kind_name(kind), ".", uint64_t{i}, "."});
    const auto f32 = [&](const char* part) { return tensor_of<float>(file, model_, name + part); };
    const auto i32 = [&](const char* part) {
      return tensor_of<int32_t>(file, model_, name + part);
    };
    const auto i8 = [&](const char* part) { return tensor_of<int8_t>(file, model_, name + part); };
    const bool floats =
        kind == model::CnnKind::BatchNorm || table_.variant == model::CnnVariant::Vanilla;
    Layer layer;
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

  // int(v) of x86, and integers that wrap.
  static int32_t whole(float v) {
    return v >= -2147483648.0F && v < 2147483648.0F ? static_cast<int32_t>(v) : INT32_MIN;
  }
  static int32_t sum(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  }
  static int32_t difference(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
  }
  static int32_t product(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
  }

  static uint8_t byte_of(float steps, int32_t zero) {
    const auto code = static_cast<int16_t>(whole(std::round(steps)));
    return static_cast<uint8_t>(std::clamp<int32_t>(static_cast<int16_t>(code + zero), 0, 255));
  }
  static std::vector<float> floats(const Value& value) {
    if (value.codes.empty()) return value.floats;
    std::vector<float> numbers;
    for (const uint8_t code : value.codes) {
      numbers.push_back(static_cast<float>(code - value.form.zero_point) * value.form.scale);
    }
    return numbers;
  }

  Value keep(Value value, size_t at) const {
    if (table_.variant != model::CnnVariant::Sq8 || !value.codes.empty()) return value;
    for (const uint32_t point : points_[at]) {
      const model::CnnActivation& form = table_.activations[point];
      const std::vector<float> numbers = floats(value);
      value = {{}, {}, form};
      for (const float v : numbers) value.codes.push_back(byte_of(v / form.scale, form.zero_point));
    }
    return value;
  }

  // Rows of patches; what lies outside is `outside`.
  template <class T>
  static std::vector<T> patches(const std::vector<T>& in, const model::CnnShape& from,
                                const model::CnnShape& to, const model::CnnLayer& layer,
                                T outside) {
    std::vector<T> rows;
    rows.reserve(static_cast<size_t>(to.plane() * layer.row()));
    for (int64_t y = 0; y < to.height; ++y) {
      for (int64_t x = 0; x < to.width; ++x) {
        for (uint32_t c = 0; c < from.channels; ++c) {
          for (int32_t ky = 0; ky < layer.kernel; ++ky) {
            for (int32_t kx = 0; kx < layer.kernel; ++kx) {
              const int64_t row = y * layer.stride + ky - layer.padding;
              const int64_t column = x * layer.stride + kx - layer.padding;
              const bool inside =
                  row >= 0 && row < from.height && column >= 0 && column < from.width;
              const auto at =
                  static_cast<size_t>((c * int64_t{from.height} + row) * from.width + column);
              rows.push_back(inside ? in[at] : outside);
            }
          }
        }
      }
    }
    return rows;
  }

  Value layer(const model::CnnNode& node, size_t i) const {
    const auto kind = node.op == model::CnnOp::Conv ? model::CnnKind::Conv : model::CnnKind::Linear;
    const Layer& layer = layers_[static_cast<size_t>(kind)][node.index];
    const Value& in = values_[node.in];
    const model::CnnShape& from = shapes_[node.in];
    const model::CnnShape& to = shapes_[i + 1];
    switch (table_.variant) {
      case model::CnnVariant::Vanilla:
        return float_layer(layer, patches(in.floats, from, to, layer.entry, 0.0F), to);
      case model::CnnVariant::Dq8:
        return dynamic_layer(layer, patches(in.floats, from, to, layer.entry, 0.0F), to);
      default:
        return static_layer(
            layer, in,
            patches(in.codes, from, to, layer.entry, static_cast<uint8_t>(in.form.zero_point)), to);
    }
  }

  static Value float_layer(const Layer& layer, const std::vector<float>& rows,
                           const model::CnnShape& to) {
    const auto n = static_cast<size_t>(layer.entry.row());
    const auto plane = static_cast<size_t>(to.plane());
    Value out{std::vector<float>(static_cast<size_t>(to.count())), {}, {}};
    for (size_t o = 0; o < to.channels; ++o) {
      for (size_t p = 0; p < plane; ++p) {
        float acc = 0;
        for (size_t j = 0; j < n; ++j) acc += layer.weight[o * n + j] * rows[p * n + j];
        out.floats[o * plane + p] = acc + (layer.bias.empty() ? 0 : layer.bias[o]);
      }
    }
    return out;
  }

  struct Codes {
    std::vector<int8_t> codes;
    std::vector<float> scales;
    std::vector<int32_t> zeros;
  };
  Codes quantize(const std::vector<float>& rows, size_t group) const {
    Codes out;
    out.codes.reserve(rows.size());
    out.scales.reserve(rows.size() / group);
    out.zeros.reserve(rows.size() / group);
    for (size_t at = 0; at < rows.size(); at += group) {
      float low = rows[at];
      float high = rows[at];
      for (size_t j = 0; j < group; ++j) {
        low = std::min(low, rows[at + j]);
        high = std::max(high, rows[at + j]);
      }
      float scale = std::max(std::fabs(low), std::fabs(high)) / 127.0F;
      int32_t zero = 0;
      if (table_.asymmetric) {
        scale = (high - low) / 255.0F;
        if (scale == 0) scale = 1e-4F;
        zero = whole(std::round(-128.0F - low / scale));
      }
      for (size_t j = 0; j < group; ++j) {
        const int32_t code = sum(whole(std::round(rows[at + j] / scale)), zero);
        out.codes.push_back(static_cast<int8_t>(static_cast<uint32_t>(code) & 0xFFU));
      }
      out.scales.push_back(scale);
      out.zeros.push_back(zero);
    }
    return out;
  }

  Value dynamic_layer(const Layer& layer, const std::vector<float>& rows,
                      const model::CnnShape& to) const {
    const auto n = static_cast<size_t>(layer.entry.row());
    const auto group = static_cast<size_t>(layer.entry.weight_group);
    const size_t n_groups = n / group;
    const auto plane = static_cast<size_t>(to.plane());
    const Codes codes = quantize(rows, group);
    Value out{std::vector<float>(static_cast<size_t>(to.count())), {}, {}};
    for (size_t o = 0; o < to.channels; ++o) {
      float bias = 0;
      if (layer.entry.bias_group > 0) {
        const size_t g = o / static_cast<size_t>(layer.entry.bias_group);
        const int32_t zero = layer.bias_zeros.empty() ? 0 : layer.bias_zeros[g];
        bias = static_cast<float>(difference(layer.bias_codes[o], zero)) * layer.bias_scales[g];
      }
      for (size_t p = 0; p < plane; ++p) {
        float acc = 0;
        for (size_t g = 0; g < n_groups; ++g) {
          const int32_t zero = layer.zeros.empty() ? 0 : layer.zeros[o * n_groups + g];
          int32_t isum = 0;
          for (size_t j = g * group; j < (g + 1) * group; ++j) {
            isum =
                sum(isum, product(difference(codes.codes[p * n + j], codes.zeros[p * n_groups + g]),
                                  difference(layer.codes[o * n + j], zero)));
          }
          acc += static_cast<float>(isum) * codes.scales[p * n_groups + g] *
                 layer.scales[o * n_groups + g];
        }
        out.floats[o * plane + p] = acc + bias;
      }
    }
    return out;
  }

  static Value static_layer(const Layer& layer, const Value& in, const std::vector<uint8_t>& rows,
                            const model::CnnShape& to) {
    const auto n = static_cast<size_t>(layer.entry.row());
    const auto plane = static_cast<size_t>(to.plane());
    Value out{{}, std::vector<uint8_t>(static_cast<size_t>(to.count())), {}};
    out.form = {layer.entry.out_scale, layer.entry.out_zero_point};
    const float c = layer.entry.weight_scale * in.form.scale / layer.entry.out_scale;
    for (size_t o = 0; o < to.channels; ++o) {
      for (size_t p = 0; p < plane; ++p) {
        int32_t isum = 0;
        for (size_t j = 0; j < n; ++j) {
          isum += (rows[p * n + j] - in.form.zero_point) *
                  (layer.codes[o * n + j] - layer.entry.weight_zero_point);
        }
        if (!layer.bias_words.empty()) isum = sum(isum, layer.bias_words[o]);
        out.codes[o * plane + p] = byte_of(c * static_cast<float>(isum), out.form.zero_point);
      }
    }
    return out;
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

  Value relu(Value value) const {
    for (uint8_t& code : value.codes) {
      code = std::max(code, static_cast<uint8_t>(value.form.zero_point));
    }
    for (float& v : value.floats) v = v > 0 ? v : 0;
    return value;
  }

  Value norm(const Layer& layer, std::vector<float> numbers, const model::CnnShape& shape) const {
    for (size_t i = 0; i < numbers.size(); ++i) {
      const size_t c = i / static_cast<size_t>(shape.plane());
      const float t = numbers[i] - layer.mean[c];
      const float v = layer.variance[c] + 1e-5F;
      numbers[i] = static_cast<float>(t / std::sqrt(static_cast<double>(v)) *
                                          static_cast<double>(layer.weight[c]) +
                                      static_cast<double>(layer.bias[c]));
    }
    return {std::move(numbers), {}, {}};
  }

  static Value concat_pool(const std::vector<float>& in, const model::CnnShape& from) {
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

  Value node(const model::CnnNode& node, size_t i) const {
    const Value& in = values_[node.in];
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
        const std::vector<float> other = floats(values_[node.beside]);
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
  std::array<std::vector<Layer>, std::size(model::kCnnKinds)> layers_;
  std::vector<Value> values_;
};

}  // namespace ambry::infer::testing
