#include "infer/encoder/synthetic_bert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/encoder/encoder_tensors.h"
#include "tensor/dtype/convert.h"

namespace ambry {
namespace {

uint64_t fnv1a(std::string_view name) {
  uint64_t h = 0xCBF29CE484222325U;
  for (const char c : name) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001B3U;
  return h;
}

uint64_t hash_of(uint64_t name_hash, uint64_t index) {
  uint64_t z = name_hash + (index + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

float step(uint64_t columns, double divisor = 1) {
  return static_cast<float>(2 / std::sqrt(static_cast<double>(columns)) / divisor);
}

bool in_layer(std::string_view name) { return name.find(".layer.") != std::string_view::npos; }

// Matrices of layers and of a classification head, which follow the layout of linear layers.
bool is_linear(std::string_view name) {
  return in_layer(name) || name.starts_with("pooler.") || name.starts_with("classifier.");
}

bool is_int8(std::string_view name, size_t rank) {
  return rank == 2 && (in_layer(name) || name.find("word_") != std::string_view::npos);
}

void add_tensor(model::Model& model, std::string name, tensor::DType dtype, tensor::Shape shape) {
  const uint64_t n_bytes = *shape.count() * tensor::dtype_size(dtype);
  model.tensors.push_back({.name = std::move(name),
                           .dtype = dtype,
                           .shape = shape,
                           .offset = model.file_bytes,
                           .bytes = n_bytes});
  model.file_bytes += n_bytes;
}

std::vector<float> transpose(const std::vector<float>& from, size_t rows, size_t cols) {
  std::vector<float> to(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i % cols * rows + i / cols] = from[i];
  return to;
}

template <class T>
AlignedBuffer buffer_of(const std::vector<T>& values) {
  AlignedBuffer buffer = AlignedBuffer::allocate(values.size() * sizeof(T)).value();
  std::ranges::copy(values, buffer.as<T>().begin());
  return buffer;
}

}  // namespace

std::vector<float> hashed_uniform(std::string_view name, size_t count) {
  std::vector<float> u(count);
  const uint64_t name_hash = fnv1a(name);
  for (size_t i = 0; i < count; ++i) {
    u[i] = static_cast<float>(hash_of(name_hash, i) >> 40) / 8388608.0F - 1.0F;
  }
  return u;
}

SyntheticBert::SyntheticBert(const model::EncoderConfig& wanted, SyntheticStorage storage,
                             model::LinearLayout layout)
    : config(wanted) {
  model.format = "synthetic";
  model.linear_layout = layout;
  for (const model::EncoderTensor& tensor : model::encoder_tensors(config)) {
    const model::TensorSpec& spec = tensor.spec;
    if (spec.optional) continue;
    const bool int8 = storage == SyntheticStorage::Int8 && is_int8(spec.name, spec.shape.rank());
    add_tensor(model, spec.name, int8 ? tensor::DType::I8 : tensor::DType::F32,
               model::stored_shape(spec, layout));
    if (!int8) continue;
    add_tensor(model, spec.name + ".scale", tensor::DType::F32, {spec.shape[0]});
    if (spec.name.ends_with("query.weight")) {
      add_tensor(model, spec.name + ".zero_point", tensor::DType::I8, {spec.shape[0]});
    }
  }
}

std::vector<float> SyntheticBert::floats(const model::TensorEntry& entry) const {
  const std::string_view name = entry.name;
  std::vector<float> u = hashed_uniform(name, static_cast<size_t>(*entry.shape.count()));
  const bool transposed = entry.shape.rank() == 2 && is_linear(name) &&
                          model.linear_layout == model::LinearLayout::InOut;
  for (float& x : u) {
    if (name.ends_with("LayerNorm.weight")) {
      x = 1.0F + 0.25F * x;
    } else if (name.ends_with(".bias")) {
      x = 0.25F * x;
    } else if (is_linear(name)) {
      x = x * step(entry.shape[transposed ? 0 : 1]);
    }
  }
  return u;
}

AlignedBuffer SyntheticBert::bytes(size_t tensor_index) const {
  const model::TensorEntry& entry = model.tensors[tensor_index];
  const auto count = static_cast<size_t>(*entry.shape.count());
  if (entry.name.ends_with(".zero_point")) {
    std::vector<int8_t> zero_points;
    for (const float u : hashed_uniform(entry.name, count)) {
      zero_points.push_back(static_cast<int8_t>(std::floor(16.0F * u)));
    }
    return buffer_of(zero_points);
  }
  if (entry.name.ends_with(".scale")) {
    const model::TensorEntry& weight = model.tensors[tensor_index - 1];
    const float base = step(in_layer(weight.name) ? weight.shape[1] : 4, 128);
    std::vector<float> scales = hashed_uniform(entry.name, count);
    for (float& x : scales) x = base * (1.0F + 0.25F * x);
    return buffer_of(scales);
  }
  if (entry.dtype == tensor::DType::I8) {
    std::vector<int8_t> q(count);
    const uint64_t name_hash = fnv1a(entry.name);
    for (size_t i = 0; i < count; ++i) {
      q[i] = std::max<int8_t>(static_cast<int8_t>(hash_of(name_hash, i) >> 56), -127);
    }
    return buffer_of(q);
  }
  std::vector<float> values = floats(entry);
  if (entry.shape.rank() == 2 && is_linear(entry.name) &&
      model.linear_layout == model::LinearLayout::InOut) {
    values =
        transpose(values, static_cast<size_t>(entry.shape[1]), static_cast<size_t>(entry.shape[0]));
  }
  AlignedBuffer stored = AlignedBuffer::allocate(entry.bytes).value();
  EXPECT_TRUE(tensor::from_f32(entry.dtype, values, stored.bytes()));
  return stored;
}

Result<infer::Encoder> SyntheticBert::build(infer::WeightStorage storage, bool backwards) const {
  AMBRY_TRY(infer::EncoderBuilder builder, infer::EncoderBuilder::plan(model, config, storage));
  const size_t n = model.tensors.size();
  for (size_t i = 0; i < n; ++i) {
    const size_t index = backwards ? n - 1 - i : i;
    if (builder.wants(index)) AMBRY_RETURN_IF_ERROR(builder.accept(index, bytes(index)));
  }
  return std::move(builder).finish();
}

}  // namespace ambry
