#include <algorithm>
#include <string>

#include "formats/onnx/check_parts.h"

namespace ambry::formats::onnx {
namespace {

// The first node on a cycle, or nothing. `made_by` has the node of each output.
std::optional<uint32_t> find_cycle(const Graph& graph, const std::vector<uint32_t>& made_by) {
  enum class State : uint8_t { New, Open, Done };
  std::vector<State> states(graph.nodes.size(), State::New);
  struct Step {
    uint32_t node;
    uint16_t next_input;
  };
  std::vector<Step> walk;
  for (uint32_t start = 0; start < graph.nodes.size(); ++start) {
    if (states[start] != State::New) continue;
    states[start] = State::Open;
    walk.push_back({start, 0});
    while (!walk.empty()) {
      const auto [node, next] = walk.back();
      const auto inputs = graph.inputs_of(graph.nodes[node]);
      if (next == inputs.size()) {
        states[node] = State::Done;
        walk.pop_back();
        continue;
      }
      ++walk.back().next_input;
      const uint32_t maker = made_by[inputs[next]];
      if (maker == 0) continue;
      if (states[maker - 1] == State::Open) return maker - 1;
      if (states[maker - 1] == State::Done) continue;
      states[maker - 1] = State::Open;
      walk.push_back({maker - 1, 0});
    }
  }
  return std::nullopt;
}

}  // namespace

NameCheck::NameCheck(const OnnxModel& model, Problems& problems)
    : model_(model), problems_(problems), depths_(model.names.size()) {}

std::string NameCheck::label(const Graph& graph, const Node& node, std::string_view path) const {
  const auto number = static_cast<uint64_t>(&node - graph.nodes.data());
  return concat({path, ".node[", number, "]"});
}

void NameCheck::define(NameId name, uint64_t offset, const std::string& path,
                       std::string_view what) {
  if (name == kNoName) return;
  const std::string_view text = model_.names[name];
  if (depths_[name] == depth_) {
    problems_.error(ErrorCode::BadValue, offset, {path},
                    {"the name \"", text, "\" of ", what, " is defined twice"});
    return;
  }
  if (depths_[name] != 0) {
    problems_.tolerate(ErrorCode::BadValue, offset, {path},
                       {"the name \"", text, "\" of ", what, " hides one of the graph around it"});
    return;  // it stays defined after this graph
  }
  depths_[name] = static_cast<uint8_t>(depth_);
  defined_.push_back(name);
}

// Inputs and initializers. An initializer may have the name of an input: it is its default.
void NameCheck::define_starts(const Graph& graph, const std::string& path) {
  for (const ValueInfo& input : graph.inputs) {
    define(input.name, input.byte_offset, path + ".input", "an input");
  }
  std::vector<NameId> inputs;
  inputs.reserve(graph.inputs.size());
  for (const ValueInfo& input : graph.inputs) inputs.push_back(input.name);
  std::ranges::sort(inputs);
  std::vector<NameId> defaults;
  uint64_t i = 0;
  const auto start_from = [&](const Tensor& tensor, std::string_view list) {
    const std::string place = concat({path, ".", list, "[", i++, "]"});
    if (problems_.is_full()) return;
    if (tensor.name == kNoName) {
      problems_.error(ErrorCode::BadValue, tensor.byte_offset, {place}, "has no name");
    } else if (std::ranges::binary_search(inputs, tensor.name)) {
      defaults.push_back(tensor.name);
    } else {
      define(tensor.name, tensor.byte_offset, place, "an initializer");
    }
    check_tensor(model_, tensor, place, problems_);
  };
  for (const Tensor& tensor : graph.initializers) start_from(tensor, "initializer");
  i = 0;
  for (const SparseTensor& tensor : graph.sparse_initializers) {
    start_from(tensor.values, "sparse_initializer");
    check_tensor(model_, tensor.indices, path + ".sparse_initializer.indices", problems_);
  }
  std::ranges::sort(defaults);
  const auto twice = std::ranges::adjacent_find(defaults);
  if (twice == defaults.end()) return;
  problems_.error(ErrorCode::BadValue, graph.byte_offset, {path, ".initializer"},
                  {"the name \"", model_.names[*twice], "\" of an initializer is defined twice"});
}

void NameCheck::check(const Graph& graph, CallCheck& calls, const std::string& path,
                      const Function* function) {
  const size_t n_before = defined_.size();
  if (function != nullptr) function_ = function;
  ++depth_;
  define_starts(graph, path);
  for (const Node& node : graph.nodes) {
    if (problems_.is_full()) break;
    check_node(graph, node, calls, path);
  }
  if (!problems_.is_full()) check_ends(graph, path);
  --depth_;
  if (function != nullptr) function_ = nullptr;
  for (size_t i = n_before; i < defined_.size(); ++i) depths_[defined_[i]] = 0;
  defined_.resize(n_before);
}

void NameCheck::check_node(const Graph& graph, const Node& node, CallCheck& calls,
                           const std::string& path) {
  const std::string place = label(graph, node, path);
  for (const NameId input : graph.inputs_of(node)) {
    if (input != kNoName && depths_[input] == 0) explain_missing(graph, node, input, place);
  }
  calls.check(graph, node, place);
  for (const Attribute& attribute : graph.attributes_of(node)) {
    check_attribute(attribute, calls, place);
  }
  for (const NameId output : graph.outputs_of(node)) {
    define(output, node.byte_offset, place, "an output");
  }
}

void NameCheck::check_attribute(const Attribute& attribute, CallCheck& calls,
                                const std::string& path) {
  const std::string_view name = model_.names[attribute.name];
  if (attribute.is_reference) {
    const auto wanted = static_cast<NameId>(attribute.bits);
    const bool is_there =
        function_ != nullptr &&
        (std::ranges::find(function_->attributes, wanted) != function_->attributes.end() ||
         std::ranges::find(function_->defaults, wanted, &Attribute::name) !=
             function_->defaults.end());
    if (is_there) return;
    problems_.error(ErrorCode::NotFound, attribute.byte_offset, {path, ".attribute"},
                    {"\"", name, "\" refers to the attribute \"", model_.names[wanted],
                     "\", which no function around it has"});
    return;
  }
  for (const Tensor& tensor : model_.tensors_of(attribute)) {
    check_tensor(model_, tensor, concat({path, ".", name}), problems_);
  }
  for (const Graph& graph : model_.graphs_of(attribute)) {
    check(graph, calls, concat({path, ".", name}));
  }
}

// Says whether the name is never defined, defined later, or on a cycle.
void NameCheck::explain_missing(const Graph& graph, const Node& node, NameId name,
                                const std::string& path) {
  const std::string_view text = model_.names[name];
  const auto makes = [&](const Node& other) {
    const auto outputs = graph.outputs_of(other);
    return std::ranges::find(outputs, name) != outputs.end();
  };
  if (std::ranges::none_of(graph.nodes, makes)) {
    problems_.error(ErrorCode::NotFound, node.byte_offset, {path, ".input"},
                    {"nothing makes \"", text, "\""});
    return;
  }
  if (!looked_for_cycles_) {
    looked_for_cycles_ = true;
    std::vector<uint32_t> made_by(model_.names.size());
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      for (const NameId output : graph.outputs_of(graph.nodes[i])) made_by[output] = i + 1;
    }
    made_by[kNoName] = 0;
    if (const auto on_cycle = find_cycle(graph, made_by)) {
      const Node& first = graph.nodes[*on_cycle];
      problems_.error(ErrorCode::BadValue, first.byte_offset, {path},
                      {"the nodes form a cycle: node ", uint64_t{*on_cycle}, " (",
                       model_.op_type(first), ") needs its own output"});
    }
  }
  problems_.error(ErrorCode::BadValue, node.byte_offset, {path, ".input"},
                  {"\"", text, "\" is used before it is made: nodes must be in order"});
}

// Outputs of the graph, and names that quantization annotations refer to.
void NameCheck::check_ends(const Graph& graph, const std::string& path) {
  for (const ValueInfo& output : graph.outputs) {
    if (output.name != kNoName && depths_[output.name] != 0) continue;
    problems_.error(ErrorCode::NotFound, output.byte_offset, {path, ".output"},
                    {"nothing makes the output \"", model_.names[output.name], "\""});
  }
  for (const QuantizationAnnotation& annotation : graph.annotations) {
    for (const NameId name : {annotation.tensor, annotation.value}) {
      if (name != kNoName && depths_[name] != 0) continue;
      problems_.error(ErrorCode::NotFound, annotation.byte_offset,
                      {path, ".quantization_annotation"},
                      {"there is no tensor \"", model_.names[name], "\""});
    }
  }
}

}  // namespace ambry::formats::onnx
