#include "infer/decoder/synthetic_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data_files.h"
#include "infer/encoder/synthetic_bert.h"
#include "model/decoder/decoder_tensors.h"
#include "tensor/codec/encode.h"
#include "tensor/dtype/convert.h"

namespace ambry::infer::testing {
namespace {

using tensor::DType;

struct Storage {
  const char* name;
  DType dtype;
  uint16_t block_size;  // 0: a row
};
constexpr Storage kStorages[] = {{"f32", DType::F32, 0},
                                 {"f16", DType::F16, 0},
                                 {"bf16", DType::BF16, 0},
                                 {"int8", DType::Int8, 0},
                                 {"int4", DType::Int4, 8},
                                 {"int5", DType::Int5, 16},
                                 {"int4_block", DType::Int4Block, 8},
                                 {"int5_block", DType::Int5Block, 8},
                                 {"adaptive", DType::Adaptive, 8}};

std::vector<std::vector<double>> rows_of(const io::Json& list) {
  std::vector<std::vector<double>> rows;
  for (const io::Json& row : list.items()) {
    rows.emplace_back();
    for (const io::Json& number : row.items()) rows.back().push_back(number.number());
  }
  return rows;
}

std::vector<uint32_t> ids_of(const io::Json& list) {
  std::vector<uint32_t> ids;
  for (const io::Json& id : list.items()) ids.push_back(static_cast<uint32_t>(id.uint()));
  return ids;
}

model::Model model_of(io::Json config) {
  model::Model model;
  model.format = "synthetic";
  model.linear_layout = model::decoder_linear_layout(config).value();
  model.config = std::move(config);
  return model;
}

// Cycles through ADAPTIVE's precisions.
std::vector<DType> precisions_of(const tensor::Shape& shape, uint64_t block) {
  constexpr DType kTurns[] = {DType::F16, DType::Int8, DType::Int4, DType::Int5};
  std::vector<DType> precisions(static_cast<size_t>(shape[0] * ((shape[1] + block - 1) / block)));
  for (size_t i = 0; i < precisions.size(); ++i) precisions[i] = kTurns[i % 4];
  return precisions;
}

}  // namespace

SyntheticDecoder SyntheticDecoder::read(const std::string& name, const std::string& dtype,
                                        const std::string& folder) {
  const auto path = ambry::testing::fixtures_folder() / folder / (name + ".json");
  const io::Json json = io::parse_json(*ambry::testing::read_text(path)).value();
  SyntheticDecoder made;
  made.model = model_of(*json.find("config"));
  if (const io::Json* block = json.find("block")) made.block = static_cast<uint16_t>(block->uint());
  for (const io::Json& tensor : json.find("tensors")->items()) {
    tensor::Shape shape;
    for (const io::Json& extent : tensor.items()[1].items()) shape.push_back(extent.uint());
    made.add(std::string(tensor.items()[0].string()), shape,
             static_cast<float>(tensor.items()[2].number()),
             static_cast<float>(tensor.items()[3].number()), dtype);
  }
  if (const io::Json* ids = json.find("ids")) made.ids = ids_of(*ids);
  if (const io::Json* texts = json.find("texts")) {
    for (const io::Json& text : texts->items()) made.texts.push_back(ids_of(text));
    made.vectors = rows_of(*json.find("vectors"));
  }
  if (const io::Json* rows = json.find("logits")) made.logits = rows_of(*rows);
  if (const io::Json* types = json.find("last_logits")) {
    for (const auto& [type, rows] : types->members()) {
      made.last_logits.emplace_back(type, rows_of(rows));
    }
  }
  return made;
}

SyntheticDecoder SyntheticDecoder::make(const std::string& config, const std::string& dtype) {
  SyntheticDecoder made;
  made.model = model_of(io::parse_json(config).value());
  for (const model::DecoderTensor& wanted : model::decoder_tensors(made.config())) {
    if (wanted.spec.optional) continue;
    const bool is_matrix = wanted.spec.shape.rank() == 2;
    const float step = is_matrix && wanted.spec.linear
                           ? 2 / std::sqrt(static_cast<float>(wanted.spec.shape[1]))
                           : 1;
    made.add(wanted.spec.name, model::stored_shape(wanted.spec, made.model.linear_layout),
             is_matrix ? step : 0.25F, is_matrix || wanted.bias ? 0 : 1, dtype);
  }
  return made;
}

void SyntheticDecoder::add(const std::string& name, const tensor::Shape& shape, float scale,
                           float offset, const std::string& dtype) {
  std::vector<float> values = hashed_uniform(name, static_cast<size_t>(*shape.count()));
  for (float& x : values) x = offset + scale * x;
  model::TensorEntry entry;
  entry.name = name;
  entry.shape = shape;
  const auto& storage = *std::ranges::find(kStorages, dtype, &Storage::name);
  if (shape.rank() == 2) entry.dtype = storage.dtype;
  bytes.emplace_back();
  if (tensor::is_plain(entry.dtype)) {
    bytes.back().resize(values.size() * tensor::dtype_size(entry.dtype));
    EXPECT_TRUE(tensor::from_f32(entry.dtype, values, bytes.back()));
  } else {
    tensor::EncodeOptions options;
    options.block_size = block != 0                ? block
                         : storage.block_size == 0 ? static_cast<uint16_t>(shape[1])
                                                   : storage.block_size;
    options.scale_type = DType::F16;
    std::vector<DType> precisions;
    if (entry.dtype == DType::Adaptive) precisions = precisions_of(shape, options.block_size);
    options.precisions = precisions;
    auto encoded = tensor::encode(entry.dtype, shape, values, options).value();
    entry.quantization = encoded.quantization;
    bytes.back() = std::move(encoded.payload);
  }
  entry.bytes = bytes.back().size();
  model.tensors.push_back(std::move(entry));
}

void SyntheticDecoder::set_floats(size_t index, const std::vector<float>& values) {
  model.tensors[index].dtype = DType::F32;
  bytes[index].resize(values.size() * sizeof(float));
  EXPECT_TRUE(tensor::from_f32(DType::F32, values, bytes[index]));
  model.tensors[index].bytes = bytes[index].size();
}

size_t SyntheticDecoder::find(std::string_view name) const {
  const auto found = std::ranges::find(model.tensors, name, &model::TensorEntry::name);
  EXPECT_NE(found, model.tensors.end()) << name;
  return static_cast<size_t>(found - model.tensors.begin());
}

model::DecoderConfig SyntheticDecoder::config() const {
  io::Diagnostics diagnostics;
  auto config = model::decoder_config(model, diagnostics);
  EXPECT_TRUE(config) << describe(config.error());
  return *std::move(config);
}

Decoder SyntheticDecoder::build(const DecoderOptions& options) const {
  auto decoder = try_build(options);
  EXPECT_TRUE(decoder) << describe(decoder.error());
  return *std::move(decoder);
}

}  // namespace ambry::infer::testing
