#include "api/files/tables.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "convert/conversion_table.h"
#include "convert/import/import_formats.h"
#include "convert/plan/conversion_options.h"
#include "convert/quantizations.h"
#include "convert/targets.h"
#include "formats/registry.h"
#include "io/json/json.h"
#include "model/encoder/architectures/architectures.h"
#include "tensor/dtype/dtype_table.h"
#include "tensor/dtype/quantization.h"

namespace ambry::api {
namespace {

using formats::Runs;
using io::Json;
using tensor::DTypeRow;

Json text_of_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) append_utf8(text, static_cast<uint8_t>(byte));
  return text;
}

// By source, in the order of the formats and import formats.
void add_conversions(std::string_view from, Json& lists) {
  Json& targets = lists.set(from, Json::array());
  for (const std::string_view to : convert::targets_of(from)) targets.append(to);
}

Json conversion_lists() {
  Json lists = Json::object();
  for (const formats::Format& format : formats::formats()) add_conversions(format.id, lists);
  for (const convert::ImportFormat& format : convert::import_formats())
    add_conversions(format.id, lists);
  return lists;
}

// By target.
Json quantization_lists() {
  Json lists = Json::object();
  for (const convert::QuantizationRow& first : convert::quantizations()) {
    if (lists.find(first.to) != nullptr) continue;
    Json& types = lists.set(first.to, Json::array());
    for (const convert::QuantizationRow& row : convert::quantizations()) {
      if (row.to == first.to) types.append(row.type);
    }
  }
  return lists;
}

Json facts_of(const formats::FormatFacts& facts) {
  Json row = Json::object();
  row.set("id", facts.id);
  row.set("label", facts.label);
  Json& extensions = row.set("extensions", Json::array());
  for (const std::string_view extension : facts.extensions) {
    if (!extension.empty()) extensions.append(extension);
  }
  Json& magics = row.set("magics", Json::array());
  for (const std::string_view magic : facts.magics) {
    if (!magic.empty()) magics.append(text_of_bytes(magic));
  }
  return row;
}

Json kind_byte_of(const formats::KindByte& kind) {
  if (kind.otherwise == Runs::Nothing) return {};
  Json document = Json::object();
  document.set("offset", kind.offset);
  document.set("value", uint32_t{kind.value});
  document.set("otherwise", kind_name(kind.otherwise));
  return document;
}

bool is_conversion_target(std::string_view id) {
  return std::ranges::count(convert::conversions(), id, &convert::ConversionRow::to) > 0;
}

Json format_rows() {
  Json rows = Json::array();
  for (const formats::Format& format : formats::formats()) {
    Json& row = rows.append(facts_of(format));
    row.set("runs", format.runs == Runs::Nothing ? Json() : Json(kind_name(format.runs)));
    row.set("kindByte", kind_byte_of(format.kind_byte));
    row.set("inspects", true);
    row.set("reads", true);
    row.set("writes", format.lay_out != nullptr || is_conversion_target(format.id));
  }
  for (const convert::ImportFormat& format : convert::import_formats()) {
    Json& row = rows.append(facts_of(format));
    row.set("runs", Json());
    row.set("kindByte", Json());
    row.set("inspects", false);
    row.set("reads", true);
    row.set("writes", is_conversion_target(format.id));
  }
  return rows;
}

Json dtype_rows() {
  Json rows = Json::array();
  for (const DTypeRow& dtype : tensor::kDTypeTable) {
    Json& row = rows.append(Json::object());
    row.set("name", dtype.name);
    Json& block = row.set("block", Json());
    if (dtype.block.elements != 0) {
      block = Json::array();
      block.append(uint32_t{dtype.block.elements});
      block.append(uint32_t{dtype.block.bytes});
    }
    Json& held = row.set("formats", Json::object());
    const auto add = [&](std::string_view format, const std::optional<uint8_t>& number) {
      if (number) held.set(format, uint32_t{*number});
    };
    add("amb", dtype.amb);
    add("embd", dtype.embd);
    add("alt", dtype.alt);
    add("gguf", dtype.gguf);
    if (dtype.safetensors != nullptr) held.set("safetensors", dtype.safetensors);
  }
  return rows;
}

Json bert_family() {
  Json names = Json::array();
  for (const model::EncoderArchitecture* architecture : model::kBertFamily) {
    names.append(architecture->name);
  }
  return names;
}

template <class List, class Name>
Json names_of(const List& dtypes, Name name) {
  Json names = Json::array();
  for (const tensor::DType dtype : dtypes) names.append(name(dtype));
  return names;
}

}  // namespace

std::string tables() {
  Json document = Json::object();
  document.set("formats", format_rows());
  document.set("dtypes", dtype_rows());
  document.set("targetDTypes", names_of(convert::kTargetDTypes, tensor::dtype_name));
  document.set("scaleTypes", names_of(tensor::kScaleTypes, tensor::scale_name));
  document.set("conversions", conversion_lists());
  document.set("quantizations", quantization_lists());
  document.set("bertFamily", bert_family());
  return document.dump();
}

}  // namespace ambry::api
