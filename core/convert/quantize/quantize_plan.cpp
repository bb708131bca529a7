#include "convert/quantize/quantize_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "convert/quantize/block_plan.h"
#include "model/decoder/decoder_activations.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"

namespace ambry::convert {
namespace {

using model::DecoderRole;
using model::TensorEntry;
using tensor::DType;

// The block sizes that are written (core/formats/amb/README.md#block-choice).
constexpr std::array<uint16_t, 2> kBlocks = {128, 32};

bool is_embedding(DecoderRole role) {
  return role == DecoderRole::TokenEmbedding || role == DecoderRole::PositionEmbedding ||
         role == DecoderRole::PerLayerEmbedding;
}

// An error in what a router gives sends tokens to other experts.
bool is_router(const TensorEntry& tensor) {
  return model::decoder_tensor_key(tensor.name).ends_with(".mlp.gate");
}

class Quantizer {
 public:
  Quantizer(Plan& plan, DType dtype, const QuantizeOptions& options)
      : plan_(plan), dtype_(dtype), options_(options), kept_(plan.outputs.size()) {}

  Result<void> run();

 private:
  // The matrices of the target and their roles.
  struct Uses {
    struct Matrix {
      model::DecoderTensor use;
      size_t tensor;
    };
    model::DecoderConfig config;
    std::vector<Matrix> matrices;
  };

  Result<size_t> find(std::string_view name, std::string_view option) const;
  Result<void> keep_named();
  Result<Uses> uses() const;
  Result<void> keep_by_role();
  Result<void> weight_by_activations();
  static Result<void> check_weights(DecoderRole role, const TensorEntry& tensor,
                                    const tensor::ErrorWeights& weights);
  void quantize(size_t i);
  void store_as_half(size_t i);
  [[nodiscard]] uint16_t block_for(const TensorEntry& tensor) const;
  void state_in_config();

  Plan& plan_;
  DType dtype_;
  const QuantizeOptions& options_;
  std::vector<uint8_t> kept_;  // flags of the target's tensors
  bool one_block_size_ = true;
};

Result<void> Quantizer::run() {
  const bool known =
      options_.block_size == 0 || std::ranges::find(kBlocks, options_.block_size) != kBlocks.end();
  if (!known) return make_error(ErrorCode::BadValue, "options.block", "must be 32 or 128");
  AMBRY_RETURN_IF_ERROR(keep_named());
  AMBRY_RETURN_IF_ERROR(keep_by_role());
  AMBRY_RETURN_IF_ERROR(weight_by_activations());
  for (size_t i = 0; i < kept_.size(); ++i) {
    const TensorEntry& tensor = plan_.target.tensors[i];
    const bool matrix = tensor.shape.rank() >= 2 && !is_convolution(tensor.name);
    const bool kept = kept_[i] != 0 || is_router(tensor);
    if (matrix && !kept && !plan_.outputs[i].inputs.empty()) quantize(i);
  }
  state_in_config();
  return {};
}

Result<size_t> Quantizer::find(std::string_view name, std::string_view option) const {
  const auto found = std::ranges::find(plan_.target.tensors, name, &TensorEntry::name);
  if (found != plan_.target.tensors.end()) {
    return static_cast<size_t>(found - plan_.target.tensors.begin());
  }
  return make_error(ErrorCode::NotFound, option, {"the target has no tensor ", name});
}

Result<void> Quantizer::keep_named() {
  for (const std::string& name : options_.keep) {
    AMBRY_TRY(const size_t tensor, find(name, "options.keep"));
    kept_[tensor] = 1;
  }
  return {};
}

Result<Quantizer::Uses> Quantizer::uses() const {
  io::Diagnostics ignored;
  auto config = model::decoder_config(plan_.target, ignored);
  if (!config) {
    Failure error = config.take_error();
    error->message += "; so what its tensors are for is not known";
    return error;
  }
  Uses uses{*std::move(config), {}};
  const model::TensorIndex index = model::decoder_tensor_index(plan_.target.tensors);
  for (model::DecoderTensor& tensor : model::decoder_tensors(uses.config)) {
    const TensorEntry* found = model::find_decoder_tensor(index, tensor);
    if (found == nullptr || tensor.bias) continue;
    uses.matrices.push_back(
        {std::move(tensor), static_cast<size_t>(found - plan_.target.tensors.data())});
  }
  return uses;
}

Result<void> Quantizer::keep_by_role() {
  if (!options_.keep_embeddings && !options_.keep_output) return {};
  AMBRY_TRY(const Uses known, uses());
  for (const auto& [use, tensor] : known.matrices) {
    const bool keep = (is_embedding(use.role) && options_.keep_embeddings) ||
                      (use.role == DecoderRole::Output && options_.keep_output);
    if (keep) kept_[tensor] = 1;
  }
  return {};
}

// The factor that makes the mean weight of a tensor 1. A layer with large inputs is not more
// important for the layers after it.
double unit_of(const tensor::ErrorWeights& weights) {
  const auto mean = [](std::span<const float> numbers) {
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    return numbers.empty() ? 0.0 : sum / static_cast<double>(numbers.size());
  };
  const double both = mean(weights.columns) + mean(weights.rows);
  return both > 0 && std::isfinite(both) ? 1 / both : 1;
}

// The inputs of a linear layer are multiplied by its columns. If it is stored transposed, they are
// multiplied by its rows, as for an embedding. A tied embedding is weighted by rows and columns.
Result<void> Quantizer::weight_by_activations() {
  if (options_.activations == nullptr) return {};
  const model::DecoderActivations& activations = *options_.activations;
  AMBRY_TRY(const Uses known, uses());
  for (const auto& [use, tensor] : known.matrices) {
    const TensorEntry& entry = plan_.target.tensors[tensor];
    // A model with relative positions does not use this table.
    const bool unused = use.role == DecoderRole::PositionEmbedding &&
                        known.config.positions != model::DecoderPositions::Learned;
    // Beside attention, the input of a state space's last matrix is not observed, and nothing
    // counts what the extras of newer models read.
    const bool beside =
        use.role == DecoderRole::MixerOutput && model::attends(known.config.kind_of(use.layer));
    const bool unseen = beside || model::is_extra(use.role);
    if (entry.shape.rank() != 2 || is_convolution(entry.name) || unused || unseen) continue;
    tensor::ErrorWeights& weights = plan_.outputs[tensor].adaptive.weights;
    const bool transposed =
        use.spec.linear && plan_.target.linear_layout == model::LinearLayout::InOut;
    const std::span<const float> input = activations.input_of(use.role, use.layer, use.expert);
    (transposed || is_embedding(use.role) ? weights.rows : weights.columns) = input;
    const bool tied = use.role == DecoderRole::TokenEmbedding && known.config.tie_word_embeddings;
    if (tied) weights.columns = activations.output;
    if (weights.empty() && activations.partial) continue;
    weights.unit = unit_of(weights);
    AMBRY_RETURN_IF_ERROR(check_weights(use.role, entry, weights));
  }
  return {};
}

// An embedding may have more rows than counted tokens. These rows are padding.
Result<void> Quantizer::check_weights(DecoderRole role, const TensorEntry& tensor,
                                      const tensor::ErrorWeights& weights) {
  const auto& [columns, rows, unit] = weights;
  const bool columns_fit = columns.empty() || columns.size() == tensor.shape[1];
  const bool rows_fit = rows.empty() || rows.size() == tensor.shape[0] || is_embedding(role);
  if (columns_fit && rows_fit && !weights.empty()) return {};
  return make_error(
      ErrorCode::Mismatch, "options.calibration",
      {"the model that was run has no input for ", tensor.name, " ", to_string(tensor.shape)});
}

// The block size of the options if it divides the rows, else a smaller one that does, else 0.
uint16_t Quantizer::block_for(const TensorEntry& tensor) const {
  const uint64_t cols = tensor.shape[tensor.shape.rank() - 1];
  for (const uint16_t block : kBlocks) {
    if (block <= options_.block_size && cols % block == 0) return block;
  }
  return 0;
}

void Quantizer::quantize(size_t i) {
  TensorEntry& tensor = plan_.target.tensors[i];
  tensor::Quantization how;
  how.block_size = block_for(tensor);
  how.scale_type = options_.scale_type.value_or(DType::F16);
  if (how.block_size == 0 && options_.block_size != 0) return store_as_half(i);
  const auto& stored = tensor.quantization;
  const bool same = tensor.dtype == dtype_ && dtype_ != DType::Adaptive && stored &&
                    stored->block_size == how.block_size && !stored->minima &&
                    (!options_.scale_type || stored->scale_type == how.scale_type);
  one_block_size_ = one_block_size_ && how.block_size == options_.block_size;
  if (same) return;
  warn_if_quantized_before(plan_.outputs[i], tensor, plan_.warnings);
  plan_.outputs[i].method = Method::Encode;
  tensor.dtype = dtype_;
  tensor.quantization = how;
}

void Quantizer::store_as_half(size_t i) {
  TensorEntry& tensor = plan_.target.tensors[i];
  if (tensor.quantization || tensor.dtype == DType::F16 || tensor.dtype == DType::BF16) return;
  plan_.outputs[i].method = Method::Convert;
  tensor.dtype = DType::F16;
  plan_.warnings.push_back(
      make_error(ErrorCode::Unsupported, tensor.name,
                 {"stored as f16: its rows of ", tensor.shape[tensor.shape.rank() - 1],
                  " numbers are no whole number of blocks"}));
}

// The config's description of the quantization. Readers use the prefix of each tensor
// (core/formats/amb/README.md#config-quant).
void Quantizer::state_in_config() {
  if (!plan_.target.config.is_object()) return;
  io::Json quant = io::Json::object();
  quant.set("type", dtype_name(dtype_));
  if (one_block_size_) quant.set("block_size", uint64_t{options_.block_size});
  quant.set("scale_type", tensor::scale_name(options_.scale_type.value_or(DType::F16)));
  plan_.target.config.set("quant", std::move(quant));
}

}  // namespace

void warn_if_quantized_before(const Output& output, const TensorEntry& target,
                              std::vector<Error>& warnings) {
  const DType before = output.inputs.front().tensor.dtype;
  if (is_plain(before) && !output.scale) return;
  warnings.push_back(make_error(
      ErrorCode::BadValue, target.name,
      {"was quantized before, as ", dtype_name(before), "; what that lost is not in the report"}));
}

Result<void> quantize_plan(Plan& plan, DType dtype, const QuantizeOptions& options) {
  return Quantizer(plan, dtype, options).run();
}

}  // namespace ambry::convert
