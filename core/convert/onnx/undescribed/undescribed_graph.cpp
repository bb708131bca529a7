#include "convert/onnx/undescribed/undescribed_graph.h"

#include <algorithm>

#include "convert/onnx/graph/graph_inputs.h"
#include "convert/onnx/undescribed/text_operators.h"
#include "formats/huggingface/modules/module_chain.h"
#include "formats/onnx/onnx_parse.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::ValueInfo;

constexpr const char* kConfig = "config.json";

// The first input whose name does not fit, or nullptr.
template <typename Fits>
const ValueInfo* other_input(const OnnxFile& file, Fits fits) {
  const auto& inputs = file.graph().inputs;
  const auto found = std::ranges::find_if(inputs, [&](const ValueInfo& input) {
    return file.constant(input.name) == nullptr && !fits(file.model().names[input.name]);
  });
  return found == inputs.end() ? nullptr : &*found;
}

Failure refuse_input(const OnnxFile& file, const ValueInfo& input, const char* why) {
  return error_at(ErrorCode::Unsupported, input.byte_offset, file.model().names[input.name], why);
}

bool is_described(const SideFiles& side) {
  return side.find(kConfig) != nullptr || side.find(formats::huggingface::kModules) != nullptr;
}

// A graph that takes tokens.
Failure refuse_text_graph(const OnnxFile& file) {
  const auto& nodes = file.graph().nodes;
  const size_t n_encoder = count_encoder_nodes(file);
  const size_t n_decoder = count_decoder_nodes(file);
  const size_t first = std::max(n_encoder, n_decoder);
  if (first < nodes.size()) {
    return file.refuse(nodes[first],
                       "no encoder or language model that is read has this operator; take the "
                       "safetensors of the same model");
  }
  const bool is_decoder = !nodes.empty() && n_decoder == nodes.size();
  const ValueInfo* input =
      is_decoder ? other_input(file, is_decoder_input) : other_input(file, is_encoder_input);
  if (input == nullptr) {
    return make_error(ErrorCode::NotFound, kConfig,
                      "config.json is missing, and the graph alone does not say which model it is. "
                      "Open the directory that has config.json and the tokenizer.");
  }
  return refuse_input(file, *input,
                      is_decoder ? "no language model that is read takes this input"
                                 : "no encoder that is read takes this input, and language models "
                                   "must have GroupQueryAttention, as onnxruntime-genai's model "
                                   "builder writes it; take the safetensors of the same model");
}

}  // namespace

Failure refuse_undescribed(const OnnxFile& file, size_t n_fitting) {
  if (const ValueInfo* picture = picture_input(file)) {
    return refuse_input(
        file, *picture,
        "the graph takes a picture; networks for pictures convert to tinyruntime only");
  }
  if (takes_tokens(file)) {
    if (!is_described(file.sources().side())) return refuse_text_graph(file);
    return make_error(ErrorCode::Mismatch, "graph.input",
                      "the graph takes tokens, and networks for pictures take [batch, channels, "
                      "height, width]");
  }
  const char* message =
      "the graph takes neither tokens nor a picture [batch, channels, height, width]; no model of "
      "this kind can be run";
  const auto& nodes = file.graph().nodes;
  if (nodes.empty()) return make_error(ErrorCode::Unsupported, "graph.input", message);
  const size_t first = std::max({n_fitting, count_encoder_nodes(file), count_decoder_nodes(file)});
  return file.refuse(first == nodes.size() ? nodes.front() : nodes[first], message);
}

// Modules without ONNX have another definition (api/files/onnx/without_onnx.h).
[[gnu::weak]] Result<void> check_described(const SourceFiles& sources) {
  if (is_described(sources.side())) return {};
  AMBRY_TRY(const formats::onnx::OnnxModel model, formats::onnx::read_model(sources.main()));
  return refuse_undescribed(OnnxFile(model, sources));
}

}  // namespace ambry::convert::onnx
