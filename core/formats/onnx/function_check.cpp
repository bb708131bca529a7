#include <algorithm>
#include <string>

#include "formats/onnx/check_parts.h"

namespace ambry::formats::onnx {
namespace {

// Adds the numbers of the operators that the nodes of a graph call, and those of the graphs in it.
void add_calls(const OnnxModel& model, const Graph& graph, std::vector<uint16_t>& calls) {
  for (const Node& node : graph.nodes) {
    calls.push_back(node.op);
    for (const Attribute& attribute : graph.attributes_of(node)) {
      for (const Graph& inner : model.graphs_of(attribute)) add_calls(model, inner, calls);
    }
  }
}

// The functions that each one calls, by number.
std::vector<std::vector<uint32_t>> called_functions(const OnnxModel& model) {
  std::vector<uint32_t> function_of(model.operators.size());  // counted from 1
  for (uint32_t i = 0; i < model.functions.size(); ++i) {
    const auto op = std::ranges::find(model.operators, model.functions[i].name);
    if (op != model.operators.end()) {
      function_of[static_cast<size_t>(op - model.operators.begin())] = i + 1;
    }
  }
  std::vector<std::vector<uint32_t>> called(model.functions.size());
  for (size_t i = 0; i < model.functions.size(); ++i) {
    std::vector<uint16_t> calls;
    add_calls(model, model.functions[i].body, calls);
    std::ranges::sort(calls);
    const auto repeated = std::ranges::unique(calls);
    calls.erase(repeated.begin(), repeated.end());
    for (const uint16_t op : calls) {
      if (function_of[op] != 0) called[i].push_back(function_of[op] - 1);
    }
  }
  return called;
}

// Takes away functions that call none that is left, until nothing changes. What remains calls
// itself. Returns one of these.
std::optional<uint32_t> find_recursion(const std::vector<std::vector<uint32_t>>& called) {
  std::vector<uint32_t> n_left(called.size());
  std::vector<std::vector<uint32_t>> callers(called.size());
  std::vector<uint32_t> ready;
  for (uint32_t i = 0; i < called.size(); ++i) {
    n_left[i] = static_cast<uint32_t>(called[i].size());
    for (const uint32_t other : called[i]) callers[other].push_back(i);
    if (n_left[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const uint32_t done = ready.back();
    ready.pop_back();
    for (const uint32_t caller : callers[done]) {
      if (--n_left[caller] == 0) ready.push_back(caller);
    }
  }
  const auto left = std::ranges::find_if(n_left, [](uint32_t n) { return n != 0; });
  if (left == n_left.end()) return std::nullopt;
  return static_cast<uint32_t>(left - n_left.begin());
}

}  // namespace

void check_functions(const OnnxModel& model, Problems& problems) {
  for (size_t i = 0; i < model.functions.size() && !problems.is_full(); ++i) {
    const Function& function = model.functions[i];
    const std::string path = concat({"functions[", uint64_t{i}, "]"});
    if (function.name.op_type == kNoName) {
      problems.error(ErrorCode::BadValue, function.body.byte_offset, path, "has no name");
    }
    const auto first = std::ranges::find(model.functions, function.name, &Function::name);
    if (&*first != &function) {
      problems.error(ErrorCode::BadValue, function.body.byte_offset, path,
                     {"the function ", model.names[function.name.op_type], " is defined twice"});
    }
  }
  if (const auto recursive = find_recursion(called_functions(model))) {
    const Function& function = model.functions[*recursive];
    problems.error(ErrorCode::BadValue, function.body.byte_offset,
                   {"functions[", uint64_t{*recursive}, "]"},
                   {"the function ", model.names[function.name.op_type],
                    " calls itself, or others that call themselves"});
  }
}

}  // namespace ambry::formats::onnx
