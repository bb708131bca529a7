#include "convert/encoder/embd_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "convert/checkpoint_quantization/take_quantization.h"
#include "convert/encoder/adapters.h"
#include "convert/encoder/dense_weights.h"
#include "convert/encoder/expert_weights.h"
#include "convert/encoder/head_check.h"
#include "convert/encoder/library_names.h"
#include "convert/encoder/sparse_weights.h"
#include "convert/encoder/text_tower_weights.h"
#include "convert/encoder/token_head_weights.h"
#include "convert/onnx/encoders/read_onnx_encoder.h"
#include "convert/plan/identify.h"
#include "convert/plan/option_checks.h"
#include "convert/plan/rewrite.h"
#include "convert/plan/source_model.h"
#include "convert/static_encoder/static_plan.h"
#include "convert/tensor/target_dtype.h"
#include "formats/embd/code_keys.h"
#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_write.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/directory.h"
#include "formats/huggingface/modules/late_settings.h"
#include "formats/huggingface/side_files/own_code.h"
#include "formats/huggingface/static_directory.h"
#include "model/encoder/encoder_config.h"
#include "model/encoder/encoder_metadata.h"
#include "model/encoder/encoder_tensors.h"
#include "model/file/new_tensor.h"
#include "model/file/tensor_index.h"
#include "model/metadata/metadata_value.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_kind.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::convert {
namespace {

using model::Model;
using model::TensorEntry;
using tensor::DType;

class EncoderPlanner {
 public:
  // `changes` are made to the weights of these names.
  EncoderPlanner(SourceModel source, const Options& options, WeightChanges changes = {})
      : read_(std::move(source)),
        source_(read_.model),
        options_(options),
        changes_(std::move(changes)) {
    plan_.warnings = std::move(read_.warnings);
    plan_.decoded = std::move(read_.decoded);
  }

  Result<Plan> from_directory(formats::huggingface::Directory directory);
  Result<Plan> from_embd();

 private:
  void set_if_absent(std::string_view key, std::string_view value) {
    io::Json& metadata = plan_.target.metadata;
    if (metadata.find(key) == nullptr) metadata.set(key, value);
  }
  Result<Plan> finish();
  Result<model::EncoderConfig> check_source();
  void use(const TensorEntry* tensor) {
    if (tensor != nullptr) used_[static_cast<size_t>(tensor - source_.tensors.data())] = 1;
  }
  Result<void> add(const model::TensorIndex& index, const model::EncoderTensor& tensor,
                   const TensorEntry& from);
  Result<DType> target_dtype(const TensorEntry& from, const model::EncoderTensor& tensor) const;
  Result<void> account_for_rest(const model::EncoderArchitecture& architecture);

  SourceModel read_;
  Model& source_;
  const Options& options_;
  WeightChanges changes_;
  Plan plan_;
  std::vector<uint8_t> used_;  // for each of source_.tensors
};

Result<Plan> EncoderPlanner::from_directory(formats::huggingface::Directory directory) {
  io::Json& metadata = plan_.target.metadata;
  // The required keys come first, in their order.
  for (const std::string_view key : formats::embd::kRequiredMetadata) metadata.set(key, "");
  metadata.set("model_name", directory.model_name);
  metadata.set("model_version", "unspecified");
  metadata.set("created_at", formats::embd::kNoDate);
  model::set_encoder_metadata(directory.config, metadata);
  model::set_tokenizer_metadata(directory.tokenizer, metadata);
  for (const auto& [key, value] : directory.noted.members()) metadata.set(key, value);
  plan_.target.tokenizer = std::move(directory.tokenizer);
  return finish();
}

Result<Plan> EncoderPlanner::from_embd() {
  plan_.target.tokenizer = source_.tokenizer;
  if (options_.linear_layout) source_.linear_layout = *options_.linear_layout;
  for (const auto& [key, value] : options_.metadata) source_.metadata.set(key, value);
  io::Diagnostics diagnostics;
  plan_.target.metadata = source_.metadata;
  AMBRY_TRY(const auto config, model::encoder_config(source_, diagnostics));
  for (Error& warning : diagnostics.warnings) plan_.warnings.push_back(std::move(warning));
  // State the facts that the source leaves to be guessed. Keep those that it states.
  io::Json facts = io::Json::object();
  for (const std::string_view key : formats::embd::kRequiredMetadata) facts.set(key, "");
  facts.set("model_name", "model");
  facts.set("model_version", "unspecified");
  facts.set("created_at", formats::embd::kNoDate);
  model::set_encoder_metadata(config, facts);
  if (source_.tokenizer) model::set_tokenizer_metadata(*source_.tokenizer, facts);
  for (const auto& [key, value] : facts.members()) set_if_absent(key, value.string());
  return finish();
}

Result<Plan> EncoderPlanner::finish() {
  for (const auto& [key, value] : options_.metadata) plan_.target.metadata.set(key, value);
  plan_.target.metadata = formats::embd::with_code_keys_first(std::move(plan_.target.metadata));
  plan_.target.format = "embd";
  plan_.target.version = "F0 1.0";
  used_.resize(source_.tensors.size());
  const model::TensorIndex index(source_.tensors);
  AMBRY_TRY(const auto config, check_source());
  for (const model::EncoderTensor& tensor : model::encoder_tensors(config)) {
    if (const TensorEntry* from = index.find(tensor.spec.name))
      AMBRY_RETURN_IF_ERROR(add(index, tensor, *from));
  }
  AMBRY_RETURN_IF_ERROR(account_for_rest(*config.architecture));
  return std::move(plan_);
}

// The source's tensors and the target's metadata must describe a complete encoder.
Result<model::EncoderConfig> EncoderPlanner::check_source() {
  Model checked;
  checked.metadata = plan_.target.metadata;
  checked.tensors = source_.tensors;
  checked.linear_layout = source_.linear_layout;
  AMBRY_TRY(auto config, model::encoder_config(checked));
  io::Diagnostics diagnostics;
  model::check_encoder_tensors(checked, config, diagnostics);
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  return config;
}

Result<DType> EncoderPlanner::target_dtype(const TensorEntry& from,
                                           const model::EncoderTensor& tensor) const {
  const bool stored_fits = formats::embd::dtype_code(from.dtype).has_value();
  const bool kept =
      options_.quantize &&
      std::ranges::find(options_.quantize->keep, tensor.spec.name) != options_.quantize->keep.end();
  if (kept && stored_fits) return from.dtype;
  if (options_.dtype == DType::Int8) {
    if (from.shape.rank() == 2 && !model::keeps_floats(tensor.role)) return DType::I8;
    // Biases, norms, dense layers and heads are a hundredth of the model, so they keep their
    // precision.
    return is_float(from.dtype) && stored_fits ? from.dtype : DType::F32;
  }
  if (options_.dtype) return *options_.dtype;
  if (stored_fits) return from.dtype;
  return error_at(
      ErrorCode::Unsupported, from.index_offset, from.name,
      {"EMBD cannot store ", dtype_name(from.dtype), "; choose another dtype for the target"});
}

Result<void> EncoderPlanner::add(const model::TensorIndex& index,
                                 const model::EncoderTensor& tensor, const TensorEntry& from) {
  const model::TensorSpec& spec = tensor.spec;
  use(&from);
  if (const auto given = read_.given.find(spec.name); given != read_.given.end()) {
    Output output;
    output.method = Method::Given;
    output.given = given->second;
    add_output(plan_, model::new_tensor(spec.name, DType::F32, spec.shape), output);
    return {};
  }
  const TensorEntry* scale = index.find(model::scale_name(spec.name));
  const TensorEntry* zero_point = index.find(model::zero_point_name(spec.name));
  Output output;
  output.inputs = read_.inputs(from);
  std::vector<const TensorEntry*> parts = {scale, zero_point};
  for (const Input& input : output.inputs) parts.push_back(&input.tensor);
  for (const TensorEntry* part : parts) {
    if (part == nullptr || can_become_floats(*part)) continue;
    return error_at(ErrorCode::Unsupported, part->index_offset, part->name,
                    {dtype_name(part->dtype), " cannot be converted"});
  }
  const bool integers = is_plain(from.dtype) && !is_float(from.dtype);
  if (integers) {
    use(scale);
    use(zero_point);
  }
  AMBRY_TRY(const DType dtype, target_dtype(from, tensor));
  output.transpose = spec.linear && source_.linear_layout == model::LinearLayout::InOut;
  if (integers && scale == nullptr && dtype != from.dtype) {
    return error_at(ErrorCode::NotFound, from.index_offset, from.name,
                    {"integers need their scales, but the tensor ", model::scale_name(spec.name),
                     " is missing"});
  }
  if (integers && output.transpose) {
    return error_at(ErrorCode::Unsupported, from.index_offset, from.name,
                    "integer weights stored as [in, out] are not supported");
  }
  const bool quantize = dtype == DType::I8 && from.dtype != DType::I8;
  const bool keep = dtype == from.dtype;
  const auto change = changes_.find(spec.name);
  if (change != changes_.end()) output.change = change->second;
  const bool same =
      keep && output.inputs.size() == 1 && !output.transpose && change == changes_.end();
  output.method = quantize ? Method::Quantize : same ? Method::Copy : Method::Convert;
  if (integers && !keep) {
    output.scale = read_.input(*scale);
    if (zero_point != nullptr) output.zero_point = read_.input(*zero_point);
  }
  const bool companions = integers && keep;
  add_output(plan_, model::new_tensor(spec.name, dtype, spec.shape), output);
  if (quantize) {
    Output scales;
    scales.method = Method::Scales;
    add_output(plan_, model::new_tensor(model::scale_name(spec.name), DType::F32, {spec.shape[0]}),
               scales);
  }
  const auto copy_companion = [&](const TensorEntry* companion, std::string_view name) {
    if (!companions || companion == nullptr) return;
    Output copy;
    copy.inputs = {read_.input(*companion)};
    add_output(plan_, model::new_tensor(name, companion->dtype, companion->shape), copy);
  };
  copy_companion(scale, model::scale_name(spec.name));
  copy_companion(zero_point, model::zero_point_name(spec.name));
  return {};
}

// Each tensor is converted, known to be unneeded, or an error. None is dropped silently.
Result<void> EncoderPlanner::account_for_rest(const model::EncoderArchitecture& architecture) {
  const formats::huggingface::EncoderSource& source =
      formats::huggingface::encoder_source(architecture);
  for (size_t i = 0; i < source_.tensors.size(); ++i) {
    if (used_[i]) continue;
    const TensorEntry& tensor = source_.tensors[i];
    const std::string_view name = model::canonical_tensor_name(tensor.name);
    const auto starts_name = [&](std::string_view start) { return name.starts_with(start); };
    const bool counter = std::ranges::any_of(source.counters, starts_name);
    if (!counter && !std::ranges::any_of(source.heads_left_out, starts_name)) {
      return error_at(
          ErrorCode::Unsupported, tensor.index_offset, tensor.name,
          {"this tensor does not belong to a ", source.architecture->name, " encoder",
           is_head_tensor(name, architecture.head)
               ? "; a classification head must be stated in config.json, by architectures and "
                 "id2label"
               : ""});
    }
    if (counter) continue;  // 0, 1, 2, …: nothing is lost
    plan_.warnings.push_back(error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                                      "left out: a head for pre-training"));
  }
  return {};
}

// Gives the projection of ColBERT's layout the name of a dense layer.
Result<void> take_projection(const formats::huggingface::Directory& directory,
                             SourceModel& source) {
  if (!directory.config.has_tokens_only() || !directory.dense_folders.empty()) return {};
  constexpr const char* kName = formats::huggingface::kColbertProjection;
  const auto is_it = [](const TensorEntry& tensor) {
    return model::canonical_tensor_name(tensor.name) == kName;
  };
  std::vector<TensorEntry>& tensors = source.model.tensors;
  const auto found = std::ranges::find_if(tensors, is_it);
  const model::DenseConfig& dense = directory.config.dense.front();
  const tensor::Shape shape{dense.out_features, dense.in_features};
  if (found == tensors.end()) {
    return make_error(ErrorCode::NotFound, kName,
                      {"the tensor ", kName, " ", to_string(shape),
                       " of a model with late interaction is missing"});
  }
  if (found->shape != shape) {
    return error_at(
        ErrorCode::Mismatch, found->index_offset, found->name,
        {"shape is ", to_string(found->shape), ", but artifact.metadata says ", to_string(shape)});
  }
  rename_tensor(source, *found, model::dense_tensor_name(0, "weight"));
  return {};
}

// Plans with the weights, which must be those of the architecture.
Result<Plan> plan_with_weights(const SourceFiles& sources, const Options& options,
                               formats::huggingface::Directory directory,
                               io::Diagnostics diagnostics) {
  AMBRY_TRY(const auto dense_files, find_dense_files(sources, directory.dense_folders));
  AMBRY_TRY(const SparseFiles sparse_files, find_sparse_files(sources, directory));
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  AMBRY_TRY(SourceModel source, from == "onnx" ? onnx::read_onnx_encoder(sources, directory)
                                               : read_source(sources, from));
  AMBRY_RETURN_IF_ERROR(take_quantization(sources, directory.config_file, false, source));
  use_library_names(formats::huggingface::encoder_source(*directory.config.architecture), source);
  AMBRY_RETURN_IF_ERROR(split_experts(directory.config.facts.experts, source));
  AMBRY_RETURN_IF_ERROR(add_dense_weights(sources, dense_files, directory.config.dense, source));
  AMBRY_RETURN_IF_ERROR(add_sparse_weights(sources, sparse_files, directory, source));
  AMBRY_TRY(WeightChanges changes, take_adapters(directory.adapters, options.task, source));
  AMBRY_RETURN_IF_ERROR(take_projection(directory, source));
  AMBRY_RETURN_IF_ERROR(take_text_tower(directory, source));
  AMBRY_RETURN_IF_ERROR(check_head(directory, source));
  AMBRY_RETURN_IF_ERROR(take_token_head(directory, source));
  for (Error& warning : diagnostics.warnings) source.warnings.push_back(std::move(warning));
  AMBRY_TRY(Plan plan, EncoderPlanner(std::move(source), options, std::move(changes))
                           .from_directory(std::move(directory)));
  AMBRY_TRY(plan.layout, formats::embd::lay_out(plan.target));
  return plan;
}

}  // namespace

Result<Plan> plan_embd(const SourceFiles& sources, const Options& options) {
  if (formats::huggingface::is_static_directory(sources.side())) {
    return plan_static(sources, options);
  }
  if (options.dim) return cannot_be_cut();
  // The small files come first: they say whether the weights are worth reading.
  io::Diagnostics diagnostics;
  AMBRY_TRY(auto directory, formats::huggingface::read_directory(
                                sources.side(), diagnostics,
                                {options.lowercase, options.head,
                                 has_file(sources, formats::huggingface::kOwnWordsFile),
                                 has_file(sources, formats::huggingface::kTokenVectorsFile)}));
  auto plan = plan_with_weights(sources, options, directory, std::move(diagnostics));
  if (plan) return plan;
  return formats::huggingface::of_own_code(directory.own_code, "model", plan.take_error());
}

Result<Plan> plan_embd_from_embd(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, "embd"));
  if (model::is_static(source.model) && !asks_for_no_change(options)) {
    return plan_static_from_embd(std::move(source), options);
  }
  if (options.dim) return cannot_be_cut();
  const bool other_layout = source.model.linear_layout == model::LinearLayout::InOut;
  if (asks_for_no_change(options) && !other_layout) return rewrite(std::move(source));
  return plan_embd_from_model(std::move(source), options);
}

Result<Plan> plan_embd_from_model(SourceModel source, const Options& options) {
  AMBRY_TRY(Plan plan, EncoderPlanner(std::move(source), options).from_embd());
  AMBRY_TRY(plan.layout, formats::embd::lay_out(plan.target));
  return plan;
}

}  // namespace ambry::convert
