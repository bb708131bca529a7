#include "infer/encoder/architecture_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "data_files.h"
#include "formats/huggingface/config/encoder_config_json.h"
#include "infer/encoder/synthetic_bert.h"

namespace ambry {
namespace {

std::vector<double> numbers(const io::Json& list) {
  std::vector<double> values;
  for (const io::Json& number : list.items()) values.push_back(number.number());
  return values;
}

template <class T>
std::vector<T> integers(const io::Json* list) {
  std::vector<T> values;
  if (list == nullptr) return values;
  for (const io::Json& number : list->items()) values.push_back(static_cast<T>(number.uint()));
  return values;
}

ArchitectureText read_text(const io::Json& json) {
  ArchitectureText text;
  text.ids = integers<uint32_t>(json.find("ids"));
  text.type_ids = integers<uint32_t>(json.find("type_ids"));
  if (const io::Json* task = json.find("task")) text.task = task->string();
  text.rows = integers<size_t>(json.find("rows"));
  for (const io::Json& row : json.find("states")->items()) text.states.push_back(numbers(row));
  text.mean = numbers(*json.find("mean"));
  return text;
}

bool is_table(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kTables = {"embeddings", "embed_tokens",
                                                              "shared", "relative_attention_bias"};
  for (const std::string_view ending : {".weight", ".parametrizations.weight.original"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  return std::ranges::any_of(kTables,
                             [&](std::string_view table) { return name.ends_with(table); });
}

}  // namespace

ArchitectureCase ArchitectureCase::read(const std::string& name) {
  const std::string text = *ambry::testing::read_text(ambry::testing::fixtures_folder() /
                                                      "encoder_architectures" / (name + ".json"));
  const io::Json json = io::parse_json(text).value();
  ArchitectureCase made = of(json);
  for (const io::Json& item : json.find("texts")->items()) made.texts.push_back(read_text(item));
  return made;
}

ArchitectureCase ArchitectureCase::of(const io::Json& json) {
  ArchitectureCase made;
  made.config_json = *json.find("config");
  const auto read = formats::huggingface::read_encoder_config(
      formats::huggingface::FileValues("config.json", made.config_json), made.config);
  EXPECT_TRUE(read) << describe(read.error());
  made.model.format = "synthetic";
  for (const auto& [tensor, extents] : json.find("tensors")->members()) {
    tensor::Shape shape;
    for (const io::Json& extent : extents.items()) shape.push_back(extent.uint());
    const uint64_t n_bytes = *shape.count() * sizeof(float);
    made.model.tensors.push_back({.name = tensor,
                                  .dtype = tensor::DType::F32,
                                  .shape = shape,
                                  .offset = made.model.file_bytes,
                                  .bytes = n_bytes});
    made.model.file_bytes += n_bytes;
  }
  return made;
}

AlignedBuffer ArchitectureCase::bytes(size_t tensor_index) const {
  const model::TensorEntry& entry = model.tensors[tensor_index];
  AlignedBuffer buffer = AlignedBuffer::allocate(entry.bytes).value();
  const std::span<float> values = buffer.as<float>();
  std::ranges::copy(hashed_uniform(entry.name, values.size()), values.begin());
  const size_t rank = entry.shape.rank();
  const bool table = is_table(entry.name);
  for (float& x : values) {
    if (rank == 1) {
      x = 0.25F * x;
      if (entry.name.ends_with(".weight")) x = 1.0F + x;
    } else if (rank == 3) {
      x = 0.5F * x;
    } else if (!table) {
      x = x * static_cast<float>(2 / std::sqrt(static_cast<double>(entry.shape[1])));
    }
  }
  return buffer;
}

Result<infer::Encoder> ArchitectureCase::build(infer::WeightStorage storage) const {
  AMBRY_TRY(infer::EncoderBuilder builder, infer::EncoderBuilder::plan(model, config, storage));
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (builder.wants(i)) AMBRY_RETURN_IF_ERROR(builder.accept(i, bytes(i)));
  }
  return std::move(builder).finish();
}

}  // namespace ambry
