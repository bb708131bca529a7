#include "model/cnn/cnn_plan_graph.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cnn/cnn_plan_fields.h"

namespace ambry::model {
namespace {

using io::Json;

Result<void> expect_list(const Json& list, std::string_view path) {
  if (!list.is_array()) return plan_error(list, path, "expected a list");
  if (list.items().size() <= kMaxCnnNodes) return {};
  return plan_error(list, path,
                    {uint64_t{list.items().size()}, " items, but at most ", uint64_t{kMaxCnnNodes},
                     " are allowed"},
                    ErrorCode::LimitExceeded);
}

// Reads the nodes of the long form. A name stands for the last value with that name.
class NodeReader {
 public:
  explicit NodeReader(CnnGraph& graph) : graph_(graph) {}

  Result<void> read(const Json& nodes) {
    AMBRY_RETURN_IF_ERROR(expect_list(nodes, "nodes"));
    names_.emplace_back(kPlanInputName, 0);
    for (size_t i = 0; i < nodes.items().size(); ++i) {
      AMBRY_RETURN_IF_ERROR(read_node(nodes.items()[i], plan_item("nodes", i)));
    }
    return {};
  }

  Result<uint32_t> value_of(const Json& name, const Text& path) const {
    if (!name.is_string()) return plan_error(name, path, "expected the name of a value");
    for (size_t i = names_.size(); i-- > 0;) {
      if (names_[i].first == name.string()) return names_[i].second;
    }
    return plan_error(name, path,
                      {"the value `", name.string(), "` is not defined before this node"},
                      ErrorCode::NotFound);
  }

 private:
  Result<void> read_node(const Json& item, const std::string& path) {
    if (!item.is_array() || item.items().empty() || !item.items()[0].is_string()) {
      return plan_error(item, path, "expected a list that starts with the name of an operation");
    }
    const std::vector<Json>& parts = item.items();
    const CnnOp* op = find_cnn_op(parts[0].string());
    if (op == nullptr) {
      return plan_error(parts[0], plan_item(path, 0),
                        {"there is no operation `", parts[0].string(), "`"},
                        ErrorCode::Unsupported);
    }
    const CnnOpForm& form = cnn_op_form(*op);
    const size_t need = 2 + size_t{form.n_parameters} + form.n_operands;
    if (parts.size() != need && parts.size() != need + 1) {
      return plan_error(item, path,
                        {form.name, " takes ", form.n_parameters, " parameters, ", form.n_operands,
                         " operands and a name for its result"});
    }
    CnnNode node;
    node.op = *op;
    size_t at = 1;
    for (size_t i = 0; i < form.n_parameters; ++i, ++at) {
      AMBRY_TRY(node.*form.parameters[i], plan_integer(parts[at], plan_item(path, at)));
    }
    AMBRY_TRY(node.in, value_of(parts[at], plan_item(path, at)));
    if (form.n_operands == 2) {
      ++at;
      AMBRY_TRY(node.other, value_of(parts[at], plan_item(path, at)));
    }
    const Json& name = parts[++at];
    if (!name.is_string())
      return plan_error(name, plan_item(path, at), "expected a name for the result");
    if (++at < parts.size())
      AMBRY_RETURN_IF_ERROR(read_extra(parts[at], plan_item(path, at), node.quantize));
    names_.emplace_back(name.string(), append_node(graph_, std::move(node)));
    return {};
  }

  static Result<void> read_extra(const Json& extra, const std::string& path,
                                 std::vector<uint32_t>& quantize) {
    const Json* points = extra.find("quantize");
    if (points == nullptr || extra.members().size() != 1) {
      return plan_error(extra, path, "expected only {\"quantize\": …}");
    }
    if (!points->is_array()) {
      AMBRY_TRY(const uint32_t point, plan_integer(*points, path + ".quantize"));
      quantize = {point};
      return {};
    }
    for (const Json& item : points->items()) {
      AMBRY_TRY(const uint32_t point, plan_integer(item, path + ".quantize"));
      quantize.push_back(point);
    }
    return {};
  }

  CnnGraph& graph_;
  std::vector<std::pair<std::string, uint32_t>> names_;
};

// Reads the short form: `conv`, `maxpool:2:2:0`, `tail`.
class ChainReader {
 public:
  explicit ChainReader(CnnGraph& graph) : graph_(graph) {}

  Result<void> read(const Json& ops) {
    AMBRY_RETURN_IF_ERROR(expect_list(ops, "ops"));
    uint32_t value = 0;
    for (size_t i = 0; i < ops.items().size(); ++i) {
      const Json& item = ops.items()[i];
      const std::string path = plan_item("ops", i);
      if (!item.is_string()) return plan_error(item, path, "expected the name of an operation");
      if (item.string() == "tail") {
        value = append_head(graph_, value);
        continue;
      }
      AMBRY_TRY(CnnNode node, read_op(item, path));
      node.in = value;
      value = append_node(graph_, std::move(node));
    }
    return {};
  }

 private:
  Result<CnnNode> read_op(const Json& item, const std::string& path) {
    std::string_view rest = item.string();
    const std::string_view name = take(rest);
    const CnnOp* op = find_cnn_op(name);
    if (op == nullptr || cnn_op_form(*op).n_operands != 1) {
      return plan_error(item, path, {"there is no operation `", name, "` in a chain"},
                        ErrorCode::Unsupported);
    }
    const CnnOpForm& form = cnn_op_form(*op);
    CnnNode node;
    node.op = *op;
    if (form.n_parameters == 1) {
      node.index = next_[static_cast<size_t>(*op)]++;
    } else {
      for (size_t i = 0; i < form.n_parameters; ++i) {
        const auto number = io::parse_json(take(rest), 0, "plan");
        if (!number || !number->is_uint() || number->uint() > INT32_MAX) {
          return plan_error(
              item, path, {name, " takes ", form.n_parameters, " parameters, as in maxpool:2:2:0"});
        }
        node.*form.parameters[i] = static_cast<uint32_t>(number->uint());
      }
    }
    if (rest.empty()) return node;
    return plan_error(item, path, {"`", rest, "` follows the last parameter of ", name});
  }

  // Takes the part before the next colon off `rest`.
  static std::string_view take(std::string_view& rest) {
    const size_t end = rest.find(':');
    const std::string_view piece = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return piece;
  }

  CnnGraph& graph_;
  std::array<uint32_t, 16> next_{};  // for each operation, the next entry of its table
};

Result<CnnShape> read_input(const Json* input) {
  if (input == nullptr || !input->is_array() || input->items().size() != 3) {
    return plan_error(input == nullptr ? Json() : *input, "input",
                      "expected [channels, height, width]");
  }
  std::array<uint32_t, 3> extents{};
  for (size_t i = 0; i < 3; ++i) {
    AMBRY_TRY(extents[i], plan_integer(input->items()[i], plan_item("input", i)));
  }
  return CnnShape{extents[0], extents[1], extents[2]};
}

}  // namespace

Result<CnnGraph> read_plan_graph(const Json& document) {
  CnnGraph graph;
  AMBRY_TRY(graph.input, read_input(document.find("input")));
  const Json* nodes = document.find("nodes");
  const Json* ops = document.find("ops");
  const Json* output = document.find("output");
  if ((nodes == nullptr) == (ops == nullptr)) {
    return plan_error(document, "nodes", "expected either nodes or ops, and not both");
  }
  if (ops != nullptr) {
    if (output != nullptr)
      return plan_error(*output, "output",
                        "not allowed with ops: a chain ends with its last operation");
    AMBRY_RETURN_IF_ERROR(ChainReader(graph).read(*ops));
    return graph;
  }
  NodeReader reader(graph);
  AMBRY_RETURN_IF_ERROR(reader.read(*nodes));
  if (output != nullptr) AMBRY_TRY(graph.output, reader.value_of(*output, "output"));
  return graph;
}

}  // namespace ambry::model
