#include <algorithm>
#include <string>

#include "formats/onnx/check_parts.h"

namespace ambry::formats::onnx {
namespace {

constexpr uint32_t kAnyNumber = UINT32_MAX;

std::string expected_count(uint32_t least, uint32_t most) {
  if (most == kAnyNumber) return concat({"at least ", uint64_t{least}});
  if (least == most) return concat({uint64_t{least}});
  return concat({uint64_t{least}, " to ", uint64_t{most}});
}

// How many of the names there are, without those left out at the end.
size_t given(std::span<const NameId> names) {
  size_t count = names.size();
  while (count > 0 && names[count - 1] == kNoName) --count;
  return count;
}

}  // namespace

CallCheck::CallCheck(const OnnxModel& model, const std::vector<OpsetImport>& opsets,
                     Problems& problems)
    : model_(model), opsets_(opsets), problems_(problems), callees_(model.operators.size()) {}

int64_t CallCheck::version_of(NameId domain) const {
  const auto found = std::ranges::find(opsets_, domain, &OpsetImport::domain);
  return found == opsets_.end() ? 0 : found->version;
}

// What an operator is. Says once what is wrong with it, at the first node that calls it.
CallCheck::Callee CallCheck::resolve(const Operator& op, const Node& node,
                                     const std::string& path) {
  Callee callee;
  callee.kind = Callee::Kind::Unchecked;
  const std::string_view domain = model_.names[op.domain];
  const std::string_view name = model_.names[op.op_type];
  const auto function = std::ranges::find(model_.functions, op, &Function::name);
  if (function != model_.functions.end()) {
    callee.kind = Callee::Kind::Function;
    callee.function = &*function;
    return callee;
  }
  const int64_t version = version_of(op.domain);
  if (version == 0) {
    problems_.tolerate(ErrorCode::BadValue, node.byte_offset, {path, ".domain"},
                       {"the operator ", name, " is of the domain \"", domain,
                        "\", which the model does not import"});
  }
  if (!knows_domain(domain)) {
    problems_.warn(ErrorCode::Unsupported, node.byte_offset, {path, ".op_type"},
                   {"the operator ", name, " of the domain \"", domain, "\" is not known here"});
    return callee;
  }
  const int64_t newest = newest_version(domain);
  const auto signature = find_signature(domain, name, newest == 0 ? 1 : version);
  if (!signature) {
    const bool is_certain = version <= newest && newest != 0;
    if (is_certain) {
      problems_.error(ErrorCode::Unsupported, node.byte_offset, {path, ".op_type"},
                      {"there is no operator ", name});
    } else {
      problems_.warn(ErrorCode::Unsupported, node.byte_offset, {path, ".op_type"},
                     {"the operator ", name, " is not known here"});
    }
    return callee;
  }
  if (signature->since == 0 && version != 0) {
    problems_.error(ErrorCode::Unsupported, node.byte_offset, {path, ".op_type"},
                    {"version ", static_cast<uint64_t>(version), " of \"", domain,
                     "\" has no operator ", name});
  }
  if (signature->is_removed) {
    problems_.tolerate(ErrorCode::Unsupported, node.byte_offset, {path, ".op_type"},
                       {"the operator ", name, " was removed in version ",
                        static_cast<uint64_t>(signature->since)});
  }
  if (signature->since == 0 || signature->is_removed || version > newest) {
    if (newest != 0) return callee;
  }
  callee.kind = Callee::Kind::Operator;
  callee.signature = *signature;
  return callee;
}

void CallCheck::check(const Graph& graph, const Node& node, const std::string& path) {
  Callee& callee = callees_[node.op];
  if (callee.kind == Callee::Kind::New) callee = resolve(model_.operators[node.op], node, path);
  if (callee.kind == Callee::Kind::Unchecked) return;
  check_counts(graph, node, callee, path);
  check_attributes(graph, node, callee, path);
}

void CallCheck::check_counts(const Graph& graph, const Node& node, const Callee& callee,
                             const std::string& path) {
  const bool is_function = callee.kind == Callee::Kind::Function;
  const auto check = [&](std::span<const NameId> names, uint32_t least, uint32_t most,
                         std::string_view what) {
    const size_t count = given(names);
    if (names.size() >= least && count <= most) return;
    problems_.error(ErrorCode::Mismatch, node.byte_offset, {path, ".", what},
                    {model_.op_type(node), " has ", uint64_t{count}, " ", what, "s, expected ",
                     expected_count(least, most)});
  };
  const Signature& known = callee.signature;
  const auto body = [&](const std::vector<ValueInfo>& values) {
    return static_cast<uint32_t>(values.size());
  };
  check(graph.inputs_of(node), is_function ? 0 : known.min_inputs,
        is_function ? body(callee.function->body.inputs) : known.max_inputs, "input");
  check(graph.outputs_of(node), is_function ? 0 : known.min_outputs,
        is_function ? body(callee.function->body.outputs) : known.max_outputs, "output");
}

void CallCheck::check_attributes(const Graph& graph, const Node& node, const Callee& callee,
                                 const std::string& path) {
  const auto attributes = graph.attributes_of(node);
  for (size_t i = 0; i < attributes.size(); ++i) {
    const Attribute& attribute = attributes[i];
    const std::string_view name = model_.names[attribute.name];
    const bool is_repeated =
        std::ranges::find(attributes.first(i), attribute.name, &Attribute::name) !=
        attributes.begin() + static_cast<std::ptrdiff_t>(i);
    if (is_repeated) {
      problems_.error(ErrorCode::BadValue, attribute.byte_offset, {path, ".attribute"},
                      {"the attribute \"", name, "\" occurs twice"});
    }
    if (callee.kind == Callee::Kind::Function) continue;
    const auto rule = callee.signature.rule(name);
    if (!rule) {
      problems_.tolerate(ErrorCode::BadValue, attribute.byte_offset, {path, ".attribute"},
                         {model_.op_type(node), " has no attribute \"", name, "\""});
    } else if (rule->type != AttributeType::Undefined && rule->type != attribute.type) {
      problems_.error(
          ErrorCode::Mismatch, attribute.byte_offset, {path, ".attribute"},
          {"the attribute \"", name, "\" of ", model_.op_type(node), " is of another type"});
    }
  }
  if (callee.kind == Callee::Kind::Function) return;
  callee.signature.for_each_required([&](std::string_view name) {
    if (model_.find(graph, node, name) != nullptr) return;
    problems_.error(ErrorCode::BadValue, node.byte_offset, {path, ".attribute"},
                    {model_.op_type(node), " lacks the attribute \"", name, "\""});
  });
}

}  // namespace ambry::formats::onnx
