#include "api/files/tables.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "convert/conversion_table.h"
#include "convert/import/import_formats.h"
#include "convert/plan/conversion_options.h"
#include "convert/quantizations.h"
#include "convert/targets.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/gguf/names/tensor_names.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/opening_rows.h"
#include "formats/registry.h"
#include "io/json/json.h"
#include "model/decoder/architectures/architecture.h"
#include "model/encoder/architectures/architectures.h"
#include "model/static_encoder/static_config.h"
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
  for (const formats::Format& format : formats::formats()) add_conversions(format.facts.id, lists);
  for (const convert::ImportFormat& format : convert::import_formats())
    add_conversions(format.facts.id, lists);
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

Json kind_or_null(Runs runs) { return runs == Runs::Nothing ? Json() : Json(kind_name(runs)); }

Json opening_rows() {
  Json rows = Json::array();
  for (const formats::OpeningRow& opening : formats::opening_rows()) {
    Json& row = rows.append(Json::object());
    Json& marks = row.set("marks", Json::array());
    for (const formats::Mark& mark : opening.marks) {
      Json& document = marks.append(Json::object());
      document.set("at", mark.at ? Json(*mark.at) : Json());
      document.set("isThere", mark.is_there);
      Json& bytes = document.set("bytes", Json::array());
      for (const std::string& one : mark.bytes) bytes.append(text_of_bytes(one));
    }
    row.set("kind", kind_or_null(opening.runs));
    row.set("converts", opening.converts);
    row.set("also", kind_or_null(opening.also));
    row.set("code", code_name(opening.code));
  }
  return rows;
}

bool is_conversion_target(std::string_view id) {
  return std::ranges::count(convert::conversions(), id, &convert::ConversionRow::to) > 0;
}

Json format_rows() {
  Json rows = Json::array();
  for (const formats::Format& format : formats::formats()) {
    Json& row = rows.append(facts_of(format.facts));
    row.set("runs", kind_or_null(format.runs));
    row.set("inspects", true);
    row.set("reads", true);
    row.set("writes", format.lay_out != nullptr || is_conversion_target(format.facts.id));
  }
  for (const convert::ImportFormat& format : convert::import_formats()) {
    Json& row = rows.append(facts_of(format.facts));
    row.set("runs", Json());
    row.set("inspects", false);
    row.set("reads", true);
    row.set("writes", is_conversion_target(format.facts.id));
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

// The names by which files of each container state their architecture, each once.
Json architecture_lists() {
  Json lists = Json::object();
  const auto add = [&](std::string_view container, std::span<const std::string_view> names) {
    Json& list = lists.set(container, Json::array());
    for (const std::string_view name : names) list.append(name);
  };
  add("ggufEncoders", formats::gguf::gguf_encoder_names());
  add("ggufGenerators", formats::gguf::gguf_decoder_names());
  add("directoryEncoders", formats::huggingface::encoder_type_names());
  add("directoryGenerators", formats::huggingface::decoder_type_names());
  Json& encoders = lists.set("embd", Json::array());
  for (const auto* architecture : model::kEveryArchitecture) encoders.append(architecture->name);
  encoders.append(model::kStaticArchitecture);
  Json& generators = lists.set("amb", Json::array());
  for (const std::string_view name : model::decoder_architecture_names()) generators.append(name);
  return lists;
}

Json decoder_type_list() {
  Json names = Json::array();
  for (const auto name : formats::huggingface::usual_decoder_type_names()) names.append(name);
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
  document.set("openings", opening_rows());
  document.set("architectureNames", architecture_lists());
  document.set("architectures", decoder_type_list());
  return document.dump();
}

}  // namespace ambry::api
