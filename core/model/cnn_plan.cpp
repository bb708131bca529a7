#include "model/cnn_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ambry::model {
namespace {

using io::Json;

constexpr std::string_view kInputName = "x";

Failure bad(const Json& value, const Text& path, const Text& message,
            ErrorCode code = ErrorCode::BadValue) {
  return error_at(code, value.byte_offset(), {"plan.", path.str()}, message);
}

Result<uint32_t> whole_number(const Json& value, const Text& path) {
  if (value.is_uint() && value.uint() <= INT32_MAX) return static_cast<uint32_t>(value.uint());
  return bad(value, path, "expected a whole number from 0 on");
}

std::string place(std::string_view list, size_t i) { return concat({list, "[", uint64_t{i}, "]"}); }

Result<void> expect_list(const Json& list, std::string_view path) {
  if (!list.is_array()) return bad(list, path, "expected a list");
  if (list.items().size() <= kMostCnnNodes) return {};
  return bad(list, path,
             {uint64_t{list.items().size()}, " items, at most ", uint64_t{kMostCnnNodes}},
             ErrorCode::LimitExceeded);
}

// A misspelt key would change the meaning without a word.
Result<void> expect_keys(const Json& object, std::initializer_list<std::string_view> keys,
                         std::string_view prefix) {
  for (const auto& [key, value] : object.members()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      return bad(value, concat({prefix, key}), "not a part of plans");
    }
  }
  return {};
}

// The nodes of the long form. Names stand for the value that got them last.
class NodeReader {
 public:
  explicit NodeReader(CnnGraph& graph) : graph_(graph) {}

  Result<void> read(const Json& nodes) {
    AMBRY_CHECK(expect_list(nodes, "nodes"));
    names_.emplace_back(kInputName, 0);
    for (size_t i = 0; i < nodes.items().size(); ++i) {
      AMBRY_CHECK(read_node(nodes.items()[i], place("nodes", i)));
    }
    return {};
  }

  Result<uint32_t> value_of(const Json& name, const Text& path) const {
    if (!name.is_string()) return bad(name, path, "expected the name of a value");
    for (size_t i = names_.size(); i-- > 0;) {
      if (names_[i].first == name.string()) return names_[i].second;
    }
    return bad(name, path, {"no value `", name.string(), "` has been made here"},
               ErrorCode::NotFound);
  }

 private:
  Result<void> read_node(const Json& item, const std::string& path) {
    if (!item.is_array() || item.items().empty() || !item.items()[0].is_string()) {
      return bad(item, path, "expected a list that starts with the name of an operation");
    }
    const std::vector<Json>& parts = item.items();
    const CnnOp* op = find_cnn_op(parts[0].string());
    if (op == nullptr) {
      return bad(parts[0], place(path, 0), {"there is no operation `", parts[0].string(), "`"},
                 ErrorCode::Unsupported);
    }
    const CnnOpForm& form = cnn_op_form(*op);
    const size_t need = 2 + size_t{form.n_numbers} + form.n_operands;
    if (parts.size() != need && parts.size() != need + 1) {
      return bad(item, path,
                 {form.name, " takes ", form.n_numbers, " numbers, ", form.n_operands,
                  " operands and a name for its result"});
    }
    CnnNode node;
    node.op = *op;
    size_t at = 1;
    for (size_t i = 0; i < form.n_numbers; ++i, ++at) {
      AMBRY_TRY(node.*form.numbers[i], whole_number(parts[at], place(path, at)));
    }
    AMBRY_TRY(node.in, value_of(parts[at], place(path, at)));
    if (form.n_operands == 2) {
      ++at;
      AMBRY_TRY(node.beside, value_of(parts[at], place(path, at)));
    }
    const Json& name = parts[++at];
    if (!name.is_string()) return bad(name, place(path, at), "expected a name for the result");
    if (++at < parts.size()) AMBRY_CHECK(read_extra(parts[at], place(path, at), node.quantize));
    names_.emplace_back(name.string(), append_node(graph_, std::move(node)));
    return {};
  }

  static Result<void> read_extra(const Json& extra, const std::string& path,
                                 std::vector<uint32_t>& quantize) {
    const Json* points = extra.find("quantize");
    if (points == nullptr || extra.members().size() != 1) {
      return bad(extra, path, "expected {\"quantize\": …} and nothing else");
    }
    if (!points->is_array()) {
      AMBRY_TRY(const uint32_t point, whole_number(*points, path + ".quantize"));
      quantize = {point};
      return {};
    }
    for (const Json& item : points->items()) {
      AMBRY_TRY(const uint32_t point, whole_number(item, path + ".quantize"));
      quantize.push_back(point);
    }
    return {};
  }

  CnnGraph& graph_;
  std::vector<std::pair<std::string, uint32_t>> names_;
};

// The short form: `conv`, `maxpool:2:2:0`, `tail`.
class ChainReader {
 public:
  explicit ChainReader(CnnGraph& graph) : graph_(graph) {}

  Result<void> read(const Json& ops) {
    AMBRY_CHECK(expect_list(ops, "ops"));
    uint32_t value = 0;
    for (size_t i = 0; i < ops.items().size(); ++i) {
      const Json& item = ops.items()[i];
      const std::string path = place("ops", i);
      if (!item.is_string()) return bad(item, path, "expected the name of an operation");
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
      return bad(item, path, {"there is no operation `", name, "` in a chain"},
                 ErrorCode::Unsupported);
    }
    const CnnOpForm& form = cnn_op_form(*op);
    CnnNode node;
    node.op = *op;
    if (form.n_numbers == 1) {
      node.index = next_[static_cast<size_t>(*op)]++;
    } else {
      for (size_t i = 0; i < form.n_numbers; ++i) {
        const auto number = io::parse_json(take(rest), 0, "plan");
        if (!number || !number->is_uint() || number->uint() > INT32_MAX) {
          return bad(item, path,
                     {name, " takes ", form.n_numbers, " numbers, as in maxpool:2:2:0"});
        }
        node.*form.numbers[i] = static_cast<uint32_t>(number->uint());
      }
    }
    if (rest.empty()) return node;
    return bad(item, path, {"`", rest, "` follows what ", name, " takes"});
  }

  // The piece up to the next colon, which is dropped from `rest`.
  static std::string_view take(std::string_view& rest) {
    const size_t end = rest.find(':');
    const std::string_view piece = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return piece;
  }

  CnnGraph& graph_;
  std::array<uint32_t, 16> next_{};  // by operation, the next entry of its table
};

Result<CnnShape> read_input(const Json* input) {
  if (input == nullptr || !input->is_array() || input->items().size() != 3) {
    return bad(input == nullptr ? Json() : *input, "input", "expected [channels, height, width]");
  }
  std::array<uint32_t, 3> extents{};
  for (size_t i = 0; i < 3; ++i) {
    AMBRY_TRY(extents[i], whole_number(input->items()[i], place("input", i)));
  }
  return CnnShape{extents[0], extents[1], extents[2]};
}

Result<std::vector<float>> read_floats(const Json& image, std::string_view key, size_t count) {
  const Json* list = image.find(key);
  const std::string path = concat({"image.", key});
  if (list == nullptr || !list->is_array() || list->items().size() != count) {
    return bad(list == nullptr ? image : *list, path,
               {"expected a list of ", uint64_t{count}, " numbers, one a channel"});
  }
  std::vector<float> floats;
  for (const Json& item : list->items()) {
    if (!item.is_number() || !std::isfinite(static_cast<float>(item.number()))) {
      return bad(item, path, "expected numbers");
    }
    floats.push_back(static_cast<float>(item.number()));
  }
  return floats;
}

Result<CnnImage> read_image(const Json& image, uint32_t channels) {
  if (!image.is_object()) return bad(image, "image", "expected an object");
  AMBRY_CHECK(expect_keys(image, {"mean", "std", "resize"}, "image."));
  if (channels != 1 && channels != 3) {
    return bad(image, "image", {"pictures have 1 or 3 channels, the input has ", channels});
  }
  CnnImage read;
  AMBRY_TRY(read.mean, read_floats(image, "mean", channels));
  AMBRY_TRY(read.deviation, read_floats(image, "std", channels));
  for (const float deviation : read.deviation) {
    if (deviation <= 0) return bad(*image.find("std"), "image.std", "expected numbers above 0");
  }
  const Json* resize = image.find("resize");
  if (resize == nullptr) return read;
  const bool known =
      resize->is_string() && (resize->string() == "crop" || resize->string() == "stretch");
  if (!known) return bad(*resize, "image.resize", "expected crop or stretch");
  read.crop = resize->string() == "crop";
  return read;
}

Result<std::vector<std::string>> read_labels(const Json& labels) {
  if (!labels.is_array()) return bad(labels, "labels", "expected a list");
  std::vector<std::string> names;
  for (const Json& label : labels.items()) {
    if (!label.is_string()) return bad(label, place("labels", names.size()), "expected a text");
    names.push_back(label.string());
  }
  return names;
}

Result<void> read_graph(const Json& document, CnnGraph& graph) {
  AMBRY_TRY(graph.input, read_input(document.find("input")));
  const Json* nodes = document.find("nodes");
  const Json* ops = document.find("ops");
  const Json* output = document.find("output");
  if ((nodes == nullptr) == (ops == nullptr)) {
    return bad(document, "nodes", "expected either nodes or ops");
  }
  if (ops != nullptr) {
    if (output != nullptr) return bad(*output, "output", "a chain has one end");
    return ChainReader(graph).read(*ops);
  }
  NodeReader reader(graph);
  AMBRY_CHECK(reader.read(*nodes));
  if (output == nullptr) return {};
  AMBRY_TRY(graph.output, reader.value_of(*output, "output"));
  return {};
}

}  // namespace

std::optional<CnnImage> usual_image(uint32_t channels) {
  if (channels != 3) return std::nullopt;
  return CnnImage{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
}

Result<CnnPlan> read_cnn_plan(std::string_view text) {
  AMBRY_TRY(const Json document, io::parse_json(text, 0, "plan"));
  if (!document.is_object()) {
    return error_at(ErrorCode::BadValue, document.byte_offset(), "plan", "expected an object");
  }
  AMBRY_CHECK(expect_keys(document, {"input", "nodes", "ops", "output", "image", "labels"}, ""));
  CnnPlan plan;
  AMBRY_CHECK(read_graph(document, plan.graph));
  const uint32_t channels = plan.graph.input.channels;
  plan.image = usual_image(channels);
  if (const Json* image = document.find("image")) {
    AMBRY_TRY(plan.image, read_image(*image, channels));
  }
  if (const Json* labels = document.find("labels")) {
    AMBRY_TRY(plan.labels, read_labels(*labels));
  }
  return plan;
}

Json cnn_plan_document(const CnnPlan& plan) {
  const auto name_of = [](uint32_t value) {
    return value == 0 ? Json(kInputName) : Json(concat({"v", value}));
  };
  const auto list_of = [](const auto& items) {
    Json list = Json::array();
    for (const auto& item : items) list.append(Json(item));
    return list;
  };
  const auto floats_of = [](const std::vector<float>& items) {
    Json list = Json::array();
    for (const float item : items) list.append(double{item});
    return list;
  };
  Json document = Json::object();
  const CnnShape& input = plan.graph.input;
  document.set("input", list_of(std::array{input.channels, input.height, input.width}));
  Json nodes = Json::array();
  uint32_t value = 0;
  for (const CnnNode& node : plan.graph.nodes) {
    const CnnOpForm& form = cnn_op_form(node.op);
    Json& item = nodes.append(Json::array());
    item.append(form.name);
    for (size_t i = 0; i < form.n_numbers; ++i) item.append(node.*form.numbers[i]);
    item.append(name_of(node.in));
    if (form.n_operands == 2) item.append(name_of(node.beside));
    item.append(name_of(++value));
    if (node.quantize.empty()) continue;
    item.append(Json::object()).set("quantize", list_of(node.quantize));
  }
  document.set("nodes", std::move(nodes));
  document.set("output", name_of(plan.graph.output));
  if (plan.image) {
    Json& image = document.set("image", Json::object());
    image.set("mean", floats_of(plan.image->mean));
    image.set("std", floats_of(plan.image->deviation));
    image.set("resize", plan.image->crop ? "crop" : "stretch");
  }
  if (!plan.labels.empty()) document.set("labels", list_of(plan.labels));
  return document;
}

}  // namespace ambry::model
