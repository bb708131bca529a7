#include "convert/onnx/encoders/read_onnx_encoder.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "convert/onnx/encoders/encoder_match.h"
#include "convert/onnx/encoders/output_match.h"
#include "convert/onnx/matching/graph_values.h"
#include "convert/onnx/weights/weight_tensors.h"
#include "formats/onnx/onnx_parse.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/head/head_layout.h"

namespace ambry::convert::onnx {
namespace {

using formats::huggingface::Directory;
using formats::onnx::kNoName;
using formats::onnx::Node;

// Real encoders of a hundred layers have fewer.
constexpr size_t kMaxNodes = 100'000;
// What does not depend on the text is computed for texts of these lengths.
constexpr uint32_t kSample = 24;
constexpr uint32_t kLongSample = 160;  // where distances of tokens matter
constexpr uint32_t kMaxSample = 1024;
constexpr int64_t kShortSample = 5;

// The architectures that graphs are compared with. Others have steps that nothing here looks for.
constexpr std::array kCompared = {&model::kBert, &model::kRoberta, &model::kDistilBert,
                                  &model::kMpnet, &model::kModernBert};

Result<void> refuse_others(const Directory& directory) {
  const model::EncoderArchitecture* architecture = directory.config.architecture;
  if (std::ranges::find(kCompared, architecture) != kCompared.end()) return {};
  return make_error(
      ErrorCode::Unsupported, {directory.config_file, ".model_type"},
      {"ONNX graphs of ", architecture->name, " models are not read, only those of ",
       comma_list(kCompared, &model::EncoderArchitecture::name), "; take the model's safetensors"});
}

// A text that is longer than what a layer with a window sees, where there are such layers.
int64_t long_sample(const model::EncoderConfig& config) {
  const bool near_by = config.facts.positions == model::EncoderPositions::Learned;
  const uint32_t window =
      near_by ? kSample : std::max(kLongSample, config.facts.local_window / 2 + 64);
  const uint32_t bounded = std::min({config.max_tokens(), window, kMaxSample});
  return std::max(int64_t{bounded}, kShortSample + 1);
}

// A node that no output needs could be a mistake of the exporter, or of ours.
Result<void> refuse_unused(const OnnxFile& file) {
  const formats::onnx::Graph& graph = file.graph();
  std::vector<uint8_t> needed(file.model().names.size());
  for (const auto& output : graph.outputs) needed[output.name] = 1;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const auto outputs = graph.outputs_of(node);
    if (std::ranges::none_of(outputs, [&](NameId name) { return needed[name] != 0; })) {
      const std::string_view op = file.model().op_type(node);
      if (op == "Constant" || op == "Identity" || op == "Cast" || op == "Shape") continue;
      return file.refuse(node, "no output of the graph needs this node");
    }
    for (const NameId name : graph.inputs_of(node)) needed[name] = 1;
  }
  return {};
}

struct Found {
  std::map<std::string, OnnxWeight> weights;
  std::map<std::string, std::string> places;  // the tensors in the graph
};

Result<Found> found_weights(const OnnxFile& file, const Directory& directory, int64_t n_tokens) {
  GraphValues values(file, n_tokens);
  AMBRY_RETURN_IF_ERROR(values.read());
  EncoderMatch match(values, directory.config);
  AMBRY_RETURN_IF_ERROR(match_outputs(match, directory));
  Found found;
  for (const auto& [name, weight] : match.weights()) {
    found.places[name] = values.weight(weight).input.tensor.name;
    found.weights.emplace(name, values.weight(weight));
  }
  return found;
}

}  // namespace

// Modules without ONNX have another definition (api/files/onnx/without_onnx.h).
[[gnu::weak]] Result<SourceModel> read_onnx_encoder(const SourceFiles& sources,
                                                    const Directory& directory) {
  AMBRY_RETURN_IF_ERROR(refuse_others(directory));
  AMBRY_TRY(const formats::onnx::OnnxModel model, formats::onnx::read_model(sources.main()));
  if (model.graph.nodes.size() > kMaxNodes) {
    return make_error(
        ErrorCode::LimitExceeded, "graph.node",
        {"the graph has ", model.graph.nodes.size(), " nodes; an encoder has at most ", kMaxNodes});
  }
  if (!model.functions.empty()) {
    return make_error(ErrorCode::Unsupported, "functions",
                      "the graph calls functions of its own; export it without them");
  }
  const OnnxFile file(model, sources);
  AMBRY_RETURN_IF_ERROR(refuse_unused(file));
  AMBRY_TRY(Found found, found_weights(file, directory, long_sample(directory.config)));
  AMBRY_TRY(const Found again, found_weights(file, directory, kShortSample));
  if (found.places != again.places) {
    return make_error(ErrorCode::Unsupported, "graph",
                      "the graph differs for texts of other lengths");
  }
  WeightTensors tensors(sources, KeptCodes::Embd);
  const std::string_view classifier = directory.config.architecture->head.classifier;
  const std::string_view dense = directory.config.architecture->head.dense;
  for (auto& [name, weight] : found.weights) {
    const bool is_head = (!classifier.empty() && name.starts_with(classifier)) ||
                         (!dense.empty() && name.starts_with(dense)) ||
                         name.starts_with("qa_outputs");
    AMBRY_RETURN_IF_ERROR(tensors.add(name, std::move(weight), is_head));
  }
  return tensors.finish();
}

}  // namespace ambry::convert::onnx
