#include "model/cnn/cnn_plan.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "model/cnn/cnn_plan_fields.h"
#include "model/cnn/cnn_plan_graph.h"

namespace ambry::model {
namespace {

using io::Json;

// A misspelt key would silently change the meaning.
Result<void> expect_keys(const Json& object, std::initializer_list<std::string_view> keys,
                         std::string_view prefix) {
  for (const auto& [key, value] : object.members()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      return plan_error(value, concat({prefix, key}), "unknown key");
    }
  }
  return {};
}

Result<std::vector<float>> read_floats(const Json& image, std::string_view key, size_t count) {
  const Json* list = image.find(key);
  const std::string path = concat({"image.", key});
  if (list == nullptr || !list->is_array() || list->items().size() != count) {
    return plan_error(list == nullptr ? image : *list, path,
                      {"expected a list of ", uint64_t{count}, " numbers, one for each channel"});
  }
  std::vector<float> floats;
  for (const Json& item : list->items()) {
    if (!item.is_number() || !std::isfinite(static_cast<float>(item.number()))) {
      return plan_error(item, path, "expected a number");
    }
    floats.push_back(static_cast<float>(item.number()));
  }
  return floats;
}

Result<CnnImage> read_image(const Json& image, uint32_t channels) {
  if (!image.is_object()) return plan_error(image, "image", "expected an object");
  AMBRY_RETURN_IF_ERROR(expect_keys(image, {"mean", "std", "resize"}, "image."));
  if (channels != 1 && channels != 3) {
    return plan_error(image, "image",
                      {"images have 1 or 3 channels, but the input has ", channels});
  }
  CnnImage read;
  AMBRY_TRY(read.mean, read_floats(image, "mean", channels));
  AMBRY_TRY(read.deviation, read_floats(image, "std", channels));
  for (const float deviation : read.deviation) {
    if (deviation <= 0)
      return plan_error(*image.find("std"), "image.std", "expected numbers above 0");
  }
  const Json* resize = image.find("resize");
  if (resize == nullptr) return read;
  const bool known =
      resize->is_string() && (resize->string() == "crop" || resize->string() == "stretch");
  if (!known) return plan_error(*resize, "image.resize", "expected crop or stretch");
  read.crop = resize->string() == "crop";
  return read;
}

Result<std::vector<std::string>> read_labels(const Json& labels) {
  if (!labels.is_array()) return plan_error(labels, "labels", "expected a list of strings");
  std::vector<std::string> names;
  for (const Json& label : labels.items()) {
    if (!label.is_string())
      return plan_error(label, plan_item("labels", names.size()), "expected a string");
    names.push_back(label.string());
  }
  return names;
}

}  // namespace

std::optional<CnnImage> default_image(uint32_t channels) {
  if (channels != 3) return std::nullopt;
  return CnnImage{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
}

Result<CnnPlan> read_cnn_plan(std::string_view text) {
  AMBRY_TRY(const Json document, io::parse_json(text, 0, "plan"));
  if (!document.is_object()) {
    return error_at(ErrorCode::BadValue, document.byte_offset(), "plan", "expected an object");
  }
  AMBRY_RETURN_IF_ERROR(
      expect_keys(document, {"input", "nodes", "ops", "output", "image", "labels"}, ""));
  CnnPlan plan;
  AMBRY_TRY(plan.graph, read_plan_graph(document));
  const uint32_t channels = plan.graph.input.channels;
  plan.image = default_image(channels);
  if (const Json* image = document.find("image")) {
    AMBRY_TRY(plan.image, read_image(*image, channels));
  }
  if (const Json* labels = document.find("labels")) {
    AMBRY_TRY(plan.labels, read_labels(*labels));
  }
  return plan;
}

}  // namespace ambry::model
