#include "convert/decoder/library_tensors.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/concat.h"
#include "base/shortest.h"
#include "convert/decoder/expert_tensors.h"
#include "convert/decoder/stated_biases.h"
#include "convert/quantize/block_plan.h"
#include "model/metadata/metadata_value.h"
#include "tensor/dtype/convert.h"
#include "tensor/dtype/dtype_table.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::TensorEntry;

void rename(SourceModel& source, TensorEntry& tensor, std::string name) {
  auto strides = source.strides.extract(tensor.name);
  if (!strides.empty()) {
    strides.key() = name;
    source.strides.insert(std::move(strides));
  }
  tensor.name = std::move(name);
}

// `language_model.model.…` and `model.language_model.…`, beside the parts that see pictures and
// hear, and the layers that guess a second token.
void take_text_part(SourceModel& source) {
  constexpr std::string_view kModel = "model.";
  constexpr std::string_view kText = "language_model.";
  remove_tensors(source, [&](const TensorEntry& tensor) {
    std::string_view name = tensor.name;
    if (name.starts_with(kModel)) name.remove_prefix(kModel.size());
    constexpr std::string_view kOthers[] = {
        "vision_tower.", "multi_modal_projector.", "visual.",     "mtp.",
        "audio_tower.",  "embed_vision.",          "embed_audio."};
    return std::ranges::any_of(kOthers, [&](auto other) { return name.starts_with(other); });
  });
  for (TensorEntry& tensor : source.model.tensors) {
    const std::string_view name = tensor.name;
    if (name.starts_with(kText)) {
      rename(source, tensor, std::string(name.substr(kText.size())));
    } else if (name.starts_with(concat({kModel, kText}))) {
      rename(source, tensor, concat({kModel, name.substr(kModel.size() + kText.size())}));
    }
  }
}

// Half of the rows, under a name of its own.
TensorEntry half_of(const TensorEntry& whole, bool second, std::string name) {
  TensorEntry half = whole;
  half.name = std::move(name);
  half.bytes = whole.bytes / 2;
  if (second) half.offset += half.bytes;
  half.shape = {whole.shape[0] / 2, whole.shape[1]};
  return half;
}

void split_shared_mlp(SourceModel& source) {
  constexpr std::string_view kInput = "shared_mlp.input_linear.weight";
  constexpr std::string_view kOutput = "shared_mlp.output_linear.weight";
  std::vector<TensorEntry> tensors;
  std::vector<uint32_t> files;
  const auto add = [&](TensorEntry tensor, size_t from) {
    tensors.push_back(std::move(tensor));
    if (!source.files.empty()) files.push_back(source.files[from]);
  };
  for (size_t i = 0; i < source.model.tensors.size(); ++i) {
    TensorEntry& tensor = source.model.tensors[i];
    const std::string_view name = tensor.name;
    const bool is_pair = name.ends_with(kInput) && tensor.shape.rank() == 2 &&
                         tensor.shape[0] % 2 == 0 && is_plain(tensor.dtype) &&
                         !source.strides.contains(name);
    if (is_pair) {
      const std::string layer(name.substr(0, name.size() - kInput.size()));
      add(half_of(tensor, false, layer + "mlp.gate_proj.weight"), i);
      add(half_of(tensor, true, layer + "mlp.up_proj.weight"), i);
      continue;
    }
    if (name.ends_with(kOutput)) {
      const std::string layer(name.substr(0, name.size() - kOutput.size()));
      rename(source, tensor, layer + "mlp.down_proj.weight");
    }
    add(std::move(tensor), i);
  }
  source.model.tensors = std::move(tensors);
  source.files = std::move(files);
}

// A parameter that a layer has learned: a tensor of one number.
Result<double> number_of(const SourceFiles& sources, const SourceModel& source,
                         const TensorEntry& tensor) {
  if (tensor.shape.count().value_or(0) != 1 || !is_float(tensor.dtype)) {
    return error_at(ErrorCode::Mismatch, tensor.index_offset, tensor.name,
                    "expected one number as a float");
  }
  const uint32_t file = source.input(tensor).file;
  auto bytes = sources.files()[file].source->view(tensor.offset, tensor.bytes, tensor.name);
  if (!bytes) return in_source_file(bytes.take_error(), sources, file);
  float value = 0;
  AMBRY_RETURN_IF_ERROR(tensor::to_f32(tensor.dtype, *bytes, {&value, 1}));
  return shortest_double(value);
}

Result<void> take_xielu(const SourceFiles& sources, SourceModel& source, Json& config) {
  struct Parameter {
    std::string_view name;
    double usual;  // of those that are not learned
  };
  constexpr Parameter kParameters[] = {
      {"alpha_p", 0}, {"alpha_n", 0}, {"beta", 0.5}, {"eps", -1e-6}};
  constexpr std::string_view kFunction = ".mlp.act_fn.";
  const Json* layers = config.find("n_layers");
  // More than any model has. Keeps a hostile value from growing the lists.
  constexpr uint64_t kMostLayers = 512;
  const bool counted = layers != nullptr && layers->is_uint();
  const uint64_t n_layers = counted ? std::min(layers->uint(), kMostLayers) : 0;
  Json lists = Json::object();
  for (const auto& [name, usual] : kParameters) {
    Json list = Json::array();
    for (uint64_t layer = 0; layer < n_layers; ++layer) {
      const TensorEntry* tensor =
          find_tensor(source.model, concat({"model.layers.", layer, kFunction, name}));
      if (tensor == nullptr && usual == 0) break;  // the list is too short for its reader then
      double value = usual;
      if (tensor != nullptr) AMBRY_TRY(value, number_of(sources, source, *tensor));
      list.append(value);
    }
    lists.set(name, std::move(list));
  }
  config.set("xielu", std::move(lists));
  remove_tensors(source, [&](const TensorEntry& tensor) {
    return tensor.name.find(kFunction) != std::string::npos;
  });
  return {};
}

// [channels, 1, taps] becomes [channels, taps].
void flatten_convolutions(SourceModel& source) {
  for (TensorEntry& tensor : source.model.tensors) {
    if (!is_convolution(tensor.name) || tensor.shape.rank() != 3 || tensor.shape[1] != 1 ||
        source.strides.contains(tensor.name)) {
      continue;
    }
    tensor.shape = {tensor.shape[0], tensor.shape[2]};
  }
}

// The gate of a part that all tokens take is a matrix of one row, which becomes a vector.
void flatten_shared_gates(SourceModel& source) {
  for (TensorEntry& tensor : source.model.tensors) {
    if (tensor.name.ends_with(".mlp.shared_expert_gate.weight") && tensor.shape.rank() == 2 &&
        tensor.shape[0] == 1 && !source.strides.contains(tensor.name)) {
      tensor.shape = {tensor.shape[1]};
    }
  }
}

}  // namespace

Result<void> adapt_library_tensors(const SourceFiles& sources, const Json& stated,
                                   SourceModel& source, Json& config) {
  if (model::has_value(stated, "text_config") || model::has_value(stated, "vision_config")) {
    take_text_part(source);
  }
  AMBRY_RETURN_IF_ERROR(check_stated_biases(stated, source));
  flatten_convolutions(source);
  flatten_shared_gates(source);
  if (model::metadata_text(stated, "model_type") == "granitemoehybrid") split_shared_mlp(source);
  AMBRY_RETURN_IF_ERROR(split_decoder_experts(config, source));
  if (model::metadata_text(config, "activation_fn") != "xielu") return {};
  return take_xielu(sources, source, config);
}

}  // namespace ambry::convert
