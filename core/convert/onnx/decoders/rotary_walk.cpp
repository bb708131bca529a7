// The nodes that rotate queries and keys.
#include <array>
#include <utility>

#include "convert/onnx/decoders/decoder_walk.h"
#include "convert/onnx/decoders/rotary_caches.h"
#include "model/decoder/rope_frequencies.h"

namespace ambry::convert::onnx {

using formats::onnx::Attribute;
using formats::onnx::Graph;
using formats::onnx::Node;
using formats::onnx::Tensor;

namespace {

// The constant that is this output of a graph of constants, or nullptr.
const Tensor* constant_output(const OnnxFile& file, const Graph& graph, size_t output) {
  if (output >= graph.outputs.size()) return nullptr;
  for (const Node& node : graph.nodes) {
    const auto made = graph.outputs_of(node);
    if (made.size() != 1 || made[0] != graph.outputs[output].name) continue;
    const Attribute* value = file.model().find(graph, node, "value");
    const bool is_constant = value != nullptr && file.model().is(node, "Constant");
    return is_constant ? file.model().tensor(*value) : nullptr;
  }
  return nullptr;
}

}  // namespace

Result<void> DecoderWalk::rotations(const Node& node, NameId cosines, NameId sines,
                                    uint32_t layer) {
  const bool local = facts_.rope_local_freq_base > 0 && facts_.is_local(layer);
  if (!rotations_.insert({cosines, sines, local}).second) return {};
  if (facts_.rope_scaling.kind == model::RopeScaling::Kind::LongRope) {
    return long_rotations(node, cosines, sines);
  }
  const RotaryCaches caches{file_.constant(cosines), file_.constant(sines)};
  if (caches.cosines == nullptr || caches.sines == nullptr) {
    return file_.refuse(node, "its tables of rotations are no constants");
  }
  return check_rotary_caches(file_, node, caches,
                             local ? model::local_rope_frequencies(facts_)
                                   : model::rope_frequencies(facts_, facts_.max_seq_len));
}

// LongRope has other tables for texts that are longer than those of its first training.
Result<void> DecoderWalk::long_rotations(const Node& node, NameId cosines, NameId sines) {
  AMBRY_TRY(const Node* choice,
            nodes_.expect(cosines, "If", {}, 1,
                          {{"then_branch", kAnyNumber, 0}, {"else_branch", kAnyNumber, 0}}));
  if (file_.output(*choice, 1) != sines) {
    return file_.refuse(node, "its tables of rotations are not those of one If");
  }
  const uint32_t original = facts_.rope_scaling.original_max_seq_len.value_or(facts_.max_seq_len);
  AMBRY_TRY(const Node* greater, nodes_.expect(file_.input(*choice, 0), "Greater", {}, 2));
  AMBRY_RETURN_IF_ERROR(
      nodes_.expect_integers(*greater, file_.input(*greater, 1), {int64_t{original}}));
  AMBRY_RETURN_IF_ERROR(mask_length(file_.input(*greater, 0)));
  for (const auto& [branch, length] : {std::pair{"then_branch", uint64_t{original} + 1},
                                       std::pair{"else_branch", uint64_t{original}}}) {
    const Attribute* attribute = file_.model().find(file_.graph(), *choice, branch);
    const Graph* graph = attribute == nullptr ? nullptr : file_.model().graph_of(*attribute);
    if (graph == nullptr) return file_.refuse(*choice, {branch, " is missing"});
    const RotaryCaches caches{constant_output(file_, *graph, 0), constant_output(file_, *graph, 1)};
    if (caches.cosines == nullptr || caches.sines == nullptr) {
      return file_.refuse(*choice, {branch, " does not give two constants"});
    }
    AMBRY_RETURN_IF_ERROR(
        check_rotary_caches(file_, *choice, caches, model::rope_frequencies(facts_, length)));
  }
  return {};
}

// What a node of its own rotates.
Result<NameId> DecoderWalk::rotary(NameId value, uint32_t layer, uint32_t n_heads) {
  value = nodes_.before_casts(value);
  AMBRY_TRY(const Node* node,
            nodes_.expect(value, "RotaryEmbedding", kMicrosoft, 4,
                          {{"interleaved", static_cast<double>(facts_.rope_style), 0},
                           {"num_heads", kAnyNumber, 0},
                           {"rotary_embedding_dim", kAnyNumber, 0},
                           {"is_packed_batching", 0, 0},
                           {"scale", 1, 1}}));
  const int64_t heads = file_.int_of(*node, "num_heads", 0);
  const int64_t rotated = file_.int_of(*node, "rotary_embedding_dim", 0);
  const bool whole = facts_.n_rotated == facts_.head_dim && rotated == 0;
  const bool part = rotated == int64_t{facts_.n_rotated} && heads != 0;
  if ((!whole && !part) || (heads != 0 && heads != int64_t{n_heads})) {
    return file_.refuse(*node, "it rotates other heads than config.json states");
  }
  if (!is_input(file_.input(*node, 1), "position_ids")) {
    return file_.refuse(*node, "expected the input position_ids");
  }
  AMBRY_RETURN_IF_ERROR(rotations(*node, file_.input(*node, 2), file_.input(*node, 3), layer));
  return nodes_.before_casts(file_.input(*node, 0));
}

}  // namespace ambry::convert::onnx
