#include "convert/static_encoder/static_plan.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "convert/plan/identify.h"
#include "convert/tensor/target_dtype.h"
#include "formats/embd/code_keys.h"
#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_write.h"
#include "formats/huggingface/static_directory.h"
#include "model/file/new_tensor.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::convert {
namespace {

using model::Model;
using model::TensorEntry;
using tensor::DType;

// What Model2Vec and sentence-transformers call the tensors, and EMBD.
constexpr std::array<std::string_view, 4> kRowNames = {"embeddings", "embedding.weight", "0",
                                                       model::kStaticRows};
constexpr std::array<std::string_view, 2> kScaleNames = {"embeddings.scale",
                                                         model::kStaticRowScale};
constexpr std::array<std::string_view, 2> kWeightNames = {"weights", model::kStaticWeights};
constexpr std::array<std::string_view, 2> kMappingNames = {"mapping", model::kStaticMapping};

class StaticPlanner {
 public:
  StaticPlanner(SourceModel source, const Options& options)
      : read_(std::move(source)), options_(options) {
    plan_.warnings = std::move(read_.warnings);
    plan_.target.format = "embd";
    plan_.target.version = "F0 1.0";
  }

  Result<Plan> from_directory(formats::huggingface::StaticDirectory directory);
  Result<Plan> from_embd();

 private:
  // The first tensor with one of these names.
  const TensorEntry* take(std::span<const std::string_view> names);
  Result<void> add_tensors();
  Result<void> add_rows(const TensorEntry& rows, const TensorEntry* scale);
  Result<Input> input_of_rows(const TensorEntry& rows) const;
  Result<DType> row_dtype(const TensorEntry& rows) const;
  Result<void> check_all_used() const;
  Result<Plan> finish();

  SourceModel read_;
  const Options& options_;
  Plan plan_;
  std::vector<const TensorEntry*> used_;
};

const TensorEntry* StaticPlanner::take(std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const TensorEntry* found = find_tensor(read_.model, name);
    if (found == nullptr) continue;
    used_.push_back(found);
    return found;
  }
  return nullptr;
}

Result<DType> StaticPlanner::row_dtype(const TensorEntry& rows) const {
  if (!tensor::is_float(rows.dtype) && rows.dtype != DType::I8) {
    return error_at(
        ErrorCode::Unsupported, rows.index_offset, rows.name,
        {"rows of ", dtype_name(rows.dtype), " are not supported; f32, f16, bf16, f64 and i8 are"});
  }
  if (options_.dtype == DType::Int8) return DType::I8;
  if (options_.dtype) return *options_.dtype;
  return rows.dtype == DType::F64 ? DType::F32 : rows.dtype;
}

Result<Input> StaticPlanner::input_of_rows(const TensorEntry& rows) const {
  if (rows.shape.rank() != 2) {
    return error_at(ErrorCode::Mismatch, rows.index_offset, rows.name,
                    {"shape is ", to_string(rows.shape), ", expected [rows, dimensions]"});
  }
  const uint64_t whole = rows.shape[1];
  const uint64_t dim = options_.dim.value_or(whole);
  if (options_.dim && (dim == 0 || dim > whole)) {
    return make_error(ErrorCode::BadValue, "options.dim",
                      {"is ", dim, ", but must be an integer from 1 to ", whole,
                       ", the numbers of the model's vectors"});
  }
  return first_columns(read_.input(rows), dim);
}

Result<void> StaticPlanner::add_rows(const TensorEntry& rows, const TensorEntry* scale) {
  AMBRY_TRY(const DType dtype, row_dtype(rows));
  AMBRY_TRY(Input input, input_of_rows(rows));
  const tensor::Shape shape = input.tensor.shape;
  const bool quantizes = dtype == DType::I8 && rows.dtype != DType::I8;
  Output output;
  output.inputs = {std::move(input)};
  output.method = quantizes             ? Method::Quantize
                  : dtype == rows.dtype ? Method::Copy
                                        : Method::Convert;
  if (scale != nullptr && output.method == Method::Convert) output.scale = read_.input(*scale);
  add_output(plan_, model::new_tensor(model::kStaticRows, dtype, shape), output);
  if (quantizes) {
    Output scales;
    scales.method = Method::Scales;
    add_output(plan_, model::new_tensor(model::kStaticRowScale, DType::F32, {shape[0]}), scales);
  } else if (scale != nullptr && output.method == Method::Copy) {
    Output copy;
    copy.inputs = {read_.input(*scale)};
    add_output(plan_, model::new_tensor(model::kStaticRowScale, scale->dtype, scale->shape), copy);
  }
  return {};
}

Result<void> StaticPlanner::add_tensors() {
  const TensorEntry* rows = take(kRowNames);
  if (rows == nullptr) {
    return make_error(ErrorCode::NotFound, kRowNames.front(),
                      "the model has no tensor with the vectors of its tokens");
  }
  AMBRY_RETURN_IF_ERROR(add_rows(*rows, take(kScaleNames)));
  if (const TensorEntry* weights = take(kWeightNames)) {
    Output output;
    output.inputs = {read_.input(*weights)};
    const bool fits = weights->dtype != DType::F64;
    output.method = fits ? Method::Copy : Method::Convert;
    const DType dtype = fits ? weights->dtype : DType::F32;
    add_output(plan_, model::new_tensor(model::kStaticWeights, dtype, weights->shape), output);
  }
  if (const TensorEntry* mapping = take(kMappingNames)) {
    Output output;
    output.inputs = {read_.input(*mapping)};
    add_output(plan_, model::new_tensor(model::kStaticMapping, mapping->dtype, mapping->shape),
               output);
  }
  return check_all_used();
}

// No tensor is dropped silently.
Result<void> StaticPlanner::check_all_used() const {
  for (const TensorEntry& tensor : read_.model.tensors) {
    if (std::ranges::find(used_, &tensor) != used_.end()) continue;
    return error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                    "this tensor does not belong to a static model");
  }
  return {};
}

Result<Plan> StaticPlanner::from_directory(formats::huggingface::StaticDirectory directory) {
  AMBRY_RETURN_IF_ERROR(add_tensors());
  model::StaticConfig& config = directory.config;
  plan_.target.tokenizer = std::move(directory.tokenizer);
  // The sizes are those of the tensors.
  AMBRY_TRY(const model::StaticConfig sizes, model::static_config(plan_.target));
  config.vocab_size = sizes.vocab_size;
  config.embedding_dim = sizes.embedding_dim;
  io::Json& metadata = plan_.target.metadata;
  model::set_static_metadata(config, metadata);
  metadata.set("model_name", directory.model_name);
  metadata.set("model_version", "unspecified");
  metadata.set("created_at", formats::embd::kNoDate);
  model::set_tokenizer_metadata(*plan_.target.tokenizer, metadata);
  return finish();
}

Result<Plan> StaticPlanner::from_embd() {
  AMBRY_RETURN_IF_ERROR(add_tensors());
  plan_.target.metadata = read_.model.metadata;
  plan_.target.tokenizer = read_.model.tokenizer;
  if (options_.dim) plan_.target.metadata.set("embedding_dim", std::to_string(*options_.dim));
  return finish();
}

Result<Plan> StaticPlanner::finish() {
  for (const auto& [key, value] : options_.metadata) plan_.target.metadata.set(key, value);
  plan_.target.metadata = formats::embd::with_code_keys_first(std::move(plan_.target.metadata));
  // The sizes must fit each other before anything is written.
  AMBRY_RETURN_IF_ERROR(model::static_config(plan_.target));
  AMBRY_TRY(plan_.layout, formats::embd::lay_out(plan_.target));
  return std::move(plan_);
}

}  // namespace

Result<Plan> plan_static(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(auto directory, formats::huggingface::read_static_directory(sources.side()));
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(SourceModel source, read_source(sources, from));
  return StaticPlanner(std::move(source), options).from_directory(std::move(directory));
}

Result<Plan> plan_static_from_embd(SourceModel source, const Options& options) {
  return StaticPlanner(std::move(source), options).from_embd();
}

}  // namespace ambry::convert
