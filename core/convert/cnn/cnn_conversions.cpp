#include "convert/cnn/cnn_conversions.h"

#include <cmath>
#include <string>
#include <utility>

#include "convert/cnn/cnn_modules.h"
#include "convert/cnn/cnn_quantize.h"
#include "convert/plan/rewrite.h"
#include "convert/plan/source_model.h"
#include "formats/tinyruntime/tinyruntime_write.h"
#include "model/cnn/cnn_table.h"

namespace ambry::convert {
namespace {

using model::CnnKind;
using model::CnnLayer;
using model::TensorEntry;
using tensor::DType;
using Values = RowChange::Values;

// The default of PyTorch's batch norms, and what tinyRuntime adds to the variance.
constexpr float kEpsilon = 1e-5F;

float deviation(float variance) { return 1.0F / std::sqrt(variance + kEpsilon); }

// The companions are the batch norm's weight and variance.
void fold_weight(const Values& norm, uint64_t first_row, uint64_t n_cols, std::span<float> rows) {
  const auto cols = static_cast<size_t>(n_cols);
  for (auto row = static_cast<size_t>(first_row); !rows.empty(); ++row) {
    const float factor = norm[0][row] * deviation(norm[1][row]);
    for (float& weight : rows.first(cols)) weight *= factor;
    rows = rows.subspan(cols);
  }
}

float folded(float bias, const Values& norm, size_t row, float shift) {
  return (bias - norm[2][row]) * deviation(norm[1][row]) * norm[0][row] + shift;
}

// The companions are the batch norm's weight, variance, mean and bias. The rows are the conv's
// biases.
void fold_bias(const Values& norm, uint64_t first_row, uint64_t /*n_cols*/, std::span<float> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<size_t>(first_row + i);
    rows[i] = folded(rows[i], norm, row, norm[3][row]);
  }
}

// Folds a batch norm into a conv without biases. The companions are the batch norm's weight,
// variance and mean. The rows are the batch norm's biases.
void fold_no_bias(const Values& norm, uint64_t first_row, uint64_t /*n_cols*/,
                  std::span<float> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = folded(0.0F, norm, static_cast<size_t>(first_row + i), rows[i]);
  }
}

class CnnPlanner {
 public:
  CnnPlanner(SourceModel source, CnnModules found)
      : source_(std::move(source)), modules_(std::move(found.modules)), found_(std::move(found)) {}

  Result<Plan> plan();

 private:
  [[nodiscard]] const CnnModule* norm_behind(size_t i) const;
  Result<void> add(const CnnModule& module, const CnnModule* norm);
  void add_conv_tensors(const CnnModule& conv, const CnnModule* norm, const std::string& name);
  void add_tensor(std::string name, const TensorEntry& from, RowChange change = {});
  [[nodiscard]] std::vector<Input> inputs(std::initializer_list<const TensorEntry*> tensors) const;
  void warn_of_guess(const CnnModule& conv, const CnnModule& norm);

  SourceModel source_;
  std::vector<CnnModule> modules_;
  CnnModules found_;  // what else is known of them
  model::CnnTable table_;
  Plan plan_;
};

Result<Plan> CnnPlanner::plan() {
  plan_.warnings = std::move(source_.warnings);
  for (Error& warning : found_.warnings) plan_.warnings.push_back(std::move(warning));
  for (size_t i = 0; i < modules_.size(); ++i) {
    const CnnModule* norm = norm_behind(i);
    AMBRY_RETURN_IF_ERROR(add(modules_[i], norm));
    if (norm != nullptr) ++i;
  }
  if (plan_.outputs.empty()) {
    return make_error(ErrorCode::NotFound, "tensors",
                      "the file has no layer of a convolutional network");
  }
  table_.n_classes = table_.linears.empty() ? table_.convs.back().out : table_.linears.back().out;
  plan_.target.format = "tinyruntime";
  plan_.target.version = model::cnn_variant_name(table_.variant);
  plan_.target.config = model::cnn_config(table_);
  AMBRY_TRY(plan_.layout, formats::tinyruntime::lay_out(plan_.target));
  return std::move(plan_);
}

// The reference folds a batch norm into a conv when it is the conv's next sibling.
const CnnModule* CnnPlanner::norm_behind(size_t i) const {
  if (modules_[i].kind != CnnKind::Conv || i + 1 == modules_.size()) return nullptr;
  const CnnModule& next = modules_[i + 1];
  if (found_.from_graph) return next.folds ? &next : nullptr;
  return next.kind == CnnKind::BatchNorm && next.out() == modules_[i].out() ? &next : nullptr;
}

Result<void> CnnPlanner::add(const CnnModule& module, const CnnModule* norm) {
  CnnLayer layer;
  const auto fits = [](uint64_t extent) { return extent >= 1 && extent <= INT32_MAX; };
  for (const uint64_t extent : module.weight->shape.extents()) {
    if (fits(extent)) continue;
    return error_at(ErrorCode::Unsupported, module.weight->index_offset, module.weight->name,
                    {"no supported layer has a weight of shape ", to_string(module.weight->shape)});
  }
  const bool conv = module.kind == CnnKind::Conv;
  layer.out = static_cast<int32_t>(module.out());
  layer.in = module.kind == CnnKind::BatchNorm ? layer.out : static_cast<int32_t>(module.in());
  if (conv) {
    layer.kernel = static_cast<int32_t>(module.weight->shape[2]);
    layer.stride = module.stride;
    layer.padding = module.padding;
  }
  if (module.kind != CnnKind::BatchNorm) {
    layer.bias = module.bias != nullptr || norm != nullptr ? 1 : 0;
  }
  const auto faults = model::check_layer(table_.variant, module.kind, layer, UINT64_MAX);
  if (!faults.empty()) {
    return error_at(ErrorCode::Unsupported, module.weight->index_offset, module.weight->name,
                    faults[0].message);
  }
  auto& layers = table_.of(module.kind);
  const std::string name =
      concat({model::cnn_kind_name(module.kind), ".", uint64_t{layers.size()}, "."});
  layers.push_back(layer);
  if (conv) {
    add_conv_tensors(module, norm, name);
    return {};
  }
  add_tensor(name + "weight", *module.weight);
  if (module.bias != nullptr) add_tensor(name + "bias", *module.bias);
  if (module.kind != CnnKind::BatchNorm) return {};
  add_tensor(name + "running_mean", *module.mean);
  add_tensor(name + "running_var", *module.variance);
  return {};
}

void CnnPlanner::add_conv_tensors(const CnnModule& conv, const CnnModule* norm,
                                  const std::string& name) {
  if (norm == nullptr) {
    add_tensor(name + "weight", *conv.weight);
    if (conv.bias != nullptr) add_tensor(name + "bias", *conv.bias);
    return;
  }
  if (!found_.residual && !found_.from_graph) warn_of_guess(conv, *norm);
  add_tensor(name + "weight", *conv.weight, {inputs({norm->weight, norm->variance}), fold_weight});
  if (conv.bias != nullptr) {
    add_tensor(name + "bias", *conv.bias,
               {inputs({norm->weight, norm->variance, norm->mean, norm->bias}), fold_bias});
  } else {
    add_tensor(name + "bias", *norm->bias,
               {inputs({norm->weight, norm->variance, norm->mean}), fold_no_bias});
  }
}

// The operations between two modules are code, which no file of tensors has.
void CnnPlanner::warn_of_guess(const CnnModule& conv, const CnnModule& norm) {
  plan_.warnings.push_back(error_at(ErrorCode::Unsupported, norm.weight->index_offset,
                                    std::string(norm.name),
                                    {"folded into ", conv.name,
                                     ", as in the reference; this is right only if the network "
                                     "does nothing between the two"}));
}

void CnnPlanner::add_tensor(std::string name, const TensorEntry& from, RowChange change) {
  Output output;
  output.inputs = inputs({&from});
  const bool copied = from.dtype == DType::F32 && change.apply == nullptr;
  output.method = copied ? Method::Copy : Method::Convert;
  output.change = std::move(change);
  TensorEntry target;
  target.name = std::move(name);
  target.dtype = DType::F32;
  target.shape = from.shape;
  add_output(plan_, std::move(target), std::move(output));
}

std::vector<Input> CnnPlanner::inputs(std::initializer_list<const TensorEntry*> tensors) const {
  std::vector<Input> inputs;
  for (const TensorEntry* tensor : tensors) inputs.push_back(source_.input(*tensor));
  return inputs;
}

Result<Plan> quantized(Plan vanilla, const Options& options) {
  if (!options.quantize) return vanilla;
  const QuantizeOptions& how = *options.quantize;
  if (how.type == "dq8") return plan_dq8(std::move(vanilla), how.group, !how.symmetric);
  if (how.ranges) return plan_sq8(std::move(vanilla), *how.ranges);
  return make_error(ErrorCode::BadValue, "options.ranges",
                    "SQ8 needs the ranges of activations; calibrate the network with images first");
}

Result<void> check_dtype(const Options& options) {
  if (!options.dtype || options.dtype == DType::F32) return {};
  return make_error(ErrorCode::Unsupported, "options.dtype",
                    "tinyRuntime stores floats as f32 only");
}

Result<Plan> plan_state_dict(const SourceFiles& sources, std::string_view format,
                             const Options& options) {
  AMBRY_TRY(SourceModel source, read_source(sources, format));
  AMBRY_TRY(CnnModules modules, cnn_modules(source.model, options.metadata));
  return plan_cnn(std::move(source), std::move(modules), options);
}

}  // namespace

Result<Plan> plan_cnn(SourceModel source, CnnModules modules, const Options& options) {
  AMBRY_RETURN_IF_ERROR(check_dtype(options));
  AMBRY_TRY(Plan vanilla, CnnPlanner(std::move(source), std::move(modules)).plan());
  return quantized(std::move(vanilla), options);
}

Result<Plan> plan_cnn_from_tinyruntime(const SourceFiles& sources, const Options& options) {
  // Quantizing changes nothing but the values.
  if (!options.quantize || !asks_for_no_change(options)) return plan_rewrite(sources, options);
  AMBRY_TRY(SourceModel source, read_source(sources, "tinyruntime"));
  AMBRY_TRY(Plan vanilla, rewrite(std::move(source)));
  return quantized(std::move(vanilla), options);
}

Result<Plan> plan_cnn_from_pytorch(const SourceFiles& sources, const Options& options) {
  return plan_state_dict(sources, "pytorch", options);
}

Result<Plan> plan_cnn_from_safetensors(const SourceFiles& sources, const Options& options) {
  return plan_state_dict(sources, "safetensors", options);
}

}  // namespace ambry::convert
