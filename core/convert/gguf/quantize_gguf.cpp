// Quantization of a GGUF file, whose other tensors stay as they are.
#include <string>
#include <utility>
#include <vector>

#include "convert/gguf/metadata_keys.h"
#include "convert/gguf/to_gguf.h"
#include "convert/plan/rewrite.h"
#include "convert/plan/source_model.h"
#include "convert/quantize/block_importance.h"
#include "convert/quantize/block_plan.h"
#include "formats/gguf/gguf_write.h"
#include "formats/gguf/names/tensor_names.h"
#include "model/file/tensor_index.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::Model;
using model::TensorEntry;
using tensor::DType;

void multiply_by_first(const RowChange::Values& companions, uint64_t /*first_row*/,
                       uint64_t /*n_cols*/, std::span<float> rows) {
  for (float& value : rows) value *= companions[0][0];
}

// The scales of NVFP4 matrices that are quantized anew. Weights of other types have none.
class FoldedScales {
 public:
  FoldedScales(const Model& source, const QuantizeOptions& how)
      : index_(source.tensors), how_(how) {}

  // The number that multiplies all values, if the file has it for this matrix.
  [[nodiscard]] const TensorEntry* of(const TensorEntry& matrix) const {
    if (matrix.dtype != DType::NVFP4 || !matrix.name.ends_with(kEnding)) return nullptr;
    const TensorEntry* scale = index_.find(with_ending(matrix.name, kEnding, ".scale"));
    const bool one = scale != nullptr && scale->dtype == DType::F32 && scale->shape.count() == 1U;
    return one ? scale : nullptr;
  }
  // Whether the tensor belongs to such a matrix, which has it in its values then.
  [[nodiscard]] bool has(std::string_view name) const {
    for (const std::string_view ending : {".input_scale", ".scale"}) {
      if (!name.ends_with(ending)) continue;
      const TensorEntry* matrix = index_.find(with_ending(name, ending, kEnding));
      return matrix != nullptr && of(*matrix) != nullptr && becomes_blocks(*matrix, how_);
    }
    return false;
  }

 private:
  static constexpr std::string_view kEnding = ".weight";
  static std::string with_ending(std::string_view name, std::string_view from,
                                 std::string_view to) {
    return std::string(name.substr(0, name.size() - from.size())).append(to);
  }
  model::TensorIndex index_;
  const QuantizeOptions& how_;
};

// What weighs the errors of a GGUF file's matrices; nothing before read().
class GgufWeights {
 public:
  explicit GgufWeights(const Model& source) : source_(source) {}

  Result<void> read(const SourceFiles& sources, const Options& options,
                    const model::DecoderActivations& activations) {
    io::Diagnostics ignored;
    AMBRY_TRY(const auto decoder,
              formats::gguf::read_decoder(sources.main(), source_, options.arch, ignored));
    activations_ = &activations;
    facts_ = decoder.facts;
    uses_ = uses_in_gguf(decoder);
    return {};
  }
  Result<void> weigh(const TensorEntry& tensor, const TensorEntry& target, Output& output) const {
    const auto place = static_cast<size_t>(&tensor - source_.tensors.data());
    for (const auto& [stored, use] : uses_) {
      if (stored == place) return weigh_by_activations(*activations_, facts_, use, target, output);
    }
    return {};
  }

 private:
  const Model& source_;
  const model::DecoderActivations* activations_ = nullptr;
  model::DecoderConfig facts_;
  std::vector<std::pair<size_t, model::DecoderTensor>> uses_;
};

}  // namespace

Result<Plan> plan_gguf_from_gguf(const SourceFiles& sources, const Options& options) {
  if (!options.quantize) return plan_rewrite(sources, options);
  const QuantizeOptions& how = *options.quantize;
  AMBRY_RETURN_IF_ERROR(check_block_options(how));
  AMBRY_TRY(SourceModel source, read_source(sources, "gguf"));
  AMBRY_RETURN_IF_ERROR(check_kept(source.model, how));
  if (options.dtype || options.linear_layout) {
    return make_error(ErrorCode::Unsupported, "options",
                      "quantization of a gguf file takes no dtype and no linear layout");
  }
  AMBRY_RETURN_IF_ERROR(put_general(Json::object(), options, source.model.metadata));
  Plan plan;
  plan.warnings = std::move(source.warnings);
  const FoldedScales folded(source.model, how);
  const bool tied = model::TensorIndex(source.model.tensors).find("output.weight") == nullptr;
  const auto architecture =
      model::metadata_text(source.model.metadata, "general.architecture").value_or("");
  const bool decoder = formats::gguf::find_gguf_architecture(architecture) != nullptr;
  GgufWeights weights(source.model);
  if (how.activations != nullptr) {
    AMBRY_RETURN_IF_ERROR(weights.read(sources, options, *how.activations));
  }
  for (const TensorEntry& tensor : source.model.tensors) {
    if (folded.has(tensor.name)) continue;
    Output output;
    output.inputs.push_back(source.input(tensor));
    TensorEntry target = tensor;
    const bool numbers = is_float(tensor.dtype) || !is_plain(tensor.dtype);
    if (numbers && becomes_blocks(tensor, how)) {
      if (const TensorEntry* scale = folded.of(tensor)) {
        output.change = {{source.input(*scale)}, multiply_by_first};
      }
      const bool logits = decoder && is_output(tensor.name, tied);
      AMBRY_RETURN_IF_ERROR(store_as_blocks(how, logits, output, target, plan.warnings));
      AMBRY_RETURN_IF_ERROR(weights.weigh(tensor, target, output));
    }
    add_output(plan, std::move(target), std::move(output));
  }
  source.model.tensors = std::move(plan.target.tensors);
  plan.target = std::move(source.model);
  put_file_facts(plan.target);
  AMBRY_TRY(plan.layout, formats::gguf::lay_out(plan.target));
  return plan;
}

}  // namespace ambry::convert
