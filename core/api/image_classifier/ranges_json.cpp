#include "api/image_classifier/ranges_json.h"

#include <string>
#include <utility>
#include <vector>

namespace ambry::api {
namespace {

using io::Json;
using model::CnnRanges;
using Flows = std::vector<CnnRanges::Flow>;

Json layers_document(const std::vector<float>& largest, const Flows& flows) {
  Json layers = Json::array();
  for (size_t i = 0; i < flows.size(); ++i) {
    Json& layer = layers.append(Json::object());
    layer.set("largest", double{largest[i]});
    layer.set("in", uint64_t{flows[i].in});
    layer.set("out", uint64_t{flows[i].out});
  }
  return layers;
}

Failure bad(const std::string& path, const char* expected) {
  return make_error(ErrorCode::BadValue, {"options.ranges.", path}, {"must be ", expected});
}

Result<float> read_float(const Json& item, const char* key, const std::string& path) {
  const Json* value = item.find(key);
  if (value == nullptr || !value->is_number()) return bad(concat({path, ".", key}), "a number");
  return static_cast<float>(value->number());
}

Result<size_t> read_index(const Json& item, const char* key, const std::string& path) {
  const Json* value = item.find(key);
  if (value != nullptr && value->is_uint()) return static_cast<size_t>(value->uint());
  return bad(concat({path, ".", key}), "an integer of 0 or more");
}

Result<const std::vector<Json>*> read_list(const Json& document, const char* key) {
  const Json* list = document.find(key);
  if (list == nullptr || !list->is_array()) return bad(key, "a list");
  return &list->items();
}

std::string path_of(const char* key, size_t i) { return concat({key, "[", uint64_t{i}, "]"}); }

Result<void> read_layers(const Json& document, const char* key, std::vector<float>& largest,
                         Flows& flows) {
  AMBRY_TRY(const auto* items, read_list(document, key));
  for (const Json& item : *items) {
    const std::string path = path_of(key, flows.size());
    AMBRY_TRY(const float magnitude, read_float(item, "largest", path));
    CnnRanges::Flow flow;
    AMBRY_TRY(flow.in, read_index(item, "in", path));
    AMBRY_TRY(flow.out, read_index(item, "out", path));
    largest.push_back(magnitude);
    flows.push_back(flow);
  }
  return {};
}

}  // namespace

Json ranges_document(const CnnRanges& ranges) {
  Json document = Json::object();
  document.set("convs", layers_document(ranges.conv_weights, ranges.conv_flows));
  document.set("linears", layers_document(ranges.linear_weights, ranges.linear_flows));
  Json activations = Json::array();
  for (const model::ObservedRange& range : ranges.activations) {
    Json& item = activations.append(Json::object());
    item.set("low", double{range.low});
    item.set("high", double{range.high});
  }
  document.set("activations", std::move(activations));
  return document;
}

Result<CnnRanges> read_ranges(const Json& document) {
  CnnRanges ranges;
  AMBRY_RETURN_IF_ERROR(read_layers(document, "convs", ranges.conv_weights, ranges.conv_flows));
  AMBRY_RETURN_IF_ERROR(
      read_layers(document, "linears", ranges.linear_weights, ranges.linear_flows));
  AMBRY_TRY(const auto* items, read_list(document, "activations"));
  for (const Json& item : *items) {
    const std::string path = path_of("activations", ranges.activations.size());
    model::ObservedRange range;
    AMBRY_TRY(range.low, read_float(item, "low", path));
    AMBRY_TRY(range.high, read_float(item, "high", path));
    ranges.activations.push_back(range);
  }
  return ranges;
}

}  // namespace ambry::api
