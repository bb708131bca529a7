#include "api/files/convert/conversion.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/call/documents.h"
#include "api/call/options.h"
#include "api/files/convert/quantize_options.h"
#include "api/files/convert/target_warnings.h"
#include "api/files/run_report.h"
#include "convert/quantize/imatrix.h"
#include "convert/targets.h"
#include "formats/onnx/graph_outline.h"
#include "formats/registry.h"
#include "io/json/json.h"
#include "opening/conversion_to_run.h"

namespace ambry::api {
namespace {

using io::Json;

Result<tensor::DType> read_dtype(const Json& value) {
  const auto* known = std::ranges::find_if(convert::kTargetDTypes, [&](tensor::DType dtype) {
    return value.is_string() && value.string() == dtype_name(dtype);
  });
  if (known == convert::kTargetDTypes.end()) {
    return bad_option("dtype", "must be f32, f16, bf16 or int8");
  }
  return *known;
}

Result<uint64_t> read_dim(const Json& value) {
  if (value.is_uint() && value.uint() > 0) return value.uint();
  return bad_option("dim", "must be an integer of 1 or more");
}

Result<void> read_adapters(const Json& value, convert::Options& options) {
  const bool numbers = value.is_array() && std::ranges::all_of(value.items(), &Json::is_number);
  if (!numbers) return bad_option("adapters", "must be a list of numbers");
  for (const Json& weight : value.items()) options.adapters.push_back(weight.number());
  return {};
}

Result<void> read_metadata(const Json& value, convert::Options& options) {
  if (!value.is_object()) return bad_option("metadata", "must be an object of strings");
  for (const auto& [key, text] : value.members()) {
    if (!text.is_string()) return bad_option(concat({"metadata.", key}), "must be a string");
    options.metadata.emplace_back(key, text.string());
  }
  return {};
}

Result<void> read_selection(const Json& value, convert::Options& options) {
  const Json* words = value.is_object() ? value.find("words") : nullptr;
  if (words == nullptr || !words->is_array()) {
    return bad_option("select", "must be an object with a list of words");
  }
  convert::WordSelection& selection = options.select.emplace();
  for (const Json& word : words->items()) {
    if (!word.is_string()) return bad_option("select.words", "must be a list of strings");
    selection.words.push_back(word.string());
  }
  const Json* ignore = value.find("ignoreUnknown");
  if (ignore == nullptr) return {};
  if (!ignore->is_bool()) return bad_option("select.ignoreUnknown", "must be true or false");
  selection.ignore_unknown = ignore->boolean();
  return {};
}

struct NameOption {
  std::string_view name;
  std::string convert::Options::* target;
};
constexpr std::array<NameOption, 5> kNameOptions = {{{"to", &convert::Options::to},
                                                     {"from", &convert::Options::from},
                                                     {"arch", &convert::Options::arch},
                                                     {"task", &convert::Options::task},
                                                     {"head", &convert::Options::head}}};

struct FlagOption {
  std::string_view name;
  bool convert::Options::* target;
};
constexpr std::array<FlagOption, 6> kFlagOptions = {
    {{"lossy", &convert::Options::lossy},
     {"toRun", &convert::Options::to_run},
     {"tokenizerOnly", &convert::Options::tokenizer_only},
     {"unnormalize", &convert::Options::unnormalize},
     {"reconstruct", &convert::Options::reconstruct},
     {"explicit", &convert::Options::explicit_ngrams}}};

Result<void> read_option(std::string_view name, const Json& value, convert::Options& options) {
  for (const NameOption& known : kNameOptions) {
    if (known.name != name) continue;
    if (!value.is_string()) return bad_option(name, "must be a string");
    options.*known.target = value.string();
    return {};
  }
  for (const FlagOption& known : kFlagOptions) {
    if (known.name != name) continue;
    if (!value.is_bool()) return bad_option(name, "must be true or false");
    options.*known.target = value.boolean();
    return {};
  }
  if (name == "metadata") return read_metadata(value, options);
  if (name == "metadataToml") {
    if (!value.is_string()) return bad_option(name, "must be a string");
    options.metadata_toml = value.string();
    return {};
  }
  if (name == "select") return read_selection(value, options);
  if (name == "quantize") {
    AMBRY_TRY(options.quantize, read_quantize_options(value));
    return {};
  }
  if (name == "adapters") return read_adapters(value, options);
  if (name == "lowercase") {
    if (!value.is_bool()) return bad_option(name, "must be true or false");
    options.lowercase = value.boolean();
    return {};
  }
  if (name == "dim") {
    AMBRY_TRY(options.dim, read_dim(value));
    return {};
  }
  if (name != "dtype") return bad_option(name, "unknown option");
  AMBRY_TRY(options.dtype, read_dtype(value));
  return {};
}

Result<convert::Options> read_options(std::string_view text) {
  AMBRY_TRY(const Json json, io::parse_json(text, 0, "options"));
  convert::Options options;
  for (const auto& [name, value] : json.members()) {
    AMBRY_RETURN_IF_ERROR(read_option(name, value, options));
  }
  return options;
}

// Word vectors are converted as a stream, so their target is known by its size only: at once if the
// source has a header, else about.
Result<RunReport> report_of_vectors(Conversion& conversion) {
  // Begins to write, which tells the size and what the target cannot store.
  if (conversion.bytes_to_measure() == 0) AMBRY_RETURN_IF_ERROR(conversion.next());
  // A number takes about twice as many bytes as text as in f32.
  constexpr std::array<std::string_view, 3> kTexts = {"text", "textdims", "floret"};
  const bool is_text = std::ranges::find(kTexts, conversion.from()) != kTexts.end();
  RunReport report;
  report.memory = memory_of_vectors(conversion.total_bytes() / (is_text ? 2 : 1));
  return report;
}

Result<RunReport> report_of_target(Conversion& conversion, model::Model& target) {
  if (target.format.empty()) return report_of_vectors(conversion);
  RunReport report = run_report(target, formats::find_format(target.format)->runs, true);
  // Offsets count in the target, which is not written.
  if (report.obstacle) report.obstacle->byte_offset = kNoOffset;
  return report;
}

}  // namespace

Result<void> load_outline(const SourceFiles& sources) {
  return formats::onnx::load_outline(sources.main());
}

Result<Conversion> begin_conversion(const SourceFiles& sources, std::string_view options,
                                    const Activations& activations) {
  AMBRY_TRY(convert::Options read, read_options(options));
  read.inspect_target = warn_of_target;
  if (read.quantize) read.quantize->activations = activations;
  return Conversion::begin(sources, read);
}

Result<Activations> read_importance(Bytes file) {
  AMBRY_TRY(model::DecoderActivations read, convert::read_imatrix(file));
  return std::make_shared<const model::DecoderActivations>(std::move(read));
}

Result<std::string> conversion_targets(const SourceFiles& sources, std::string_view options) {
  AMBRY_TRY(convert::Options read, read_options(options));
  AMBRY_TRY(const convert::Targets found, convert::find_targets(sources, std::move(read)));
  Json targets = Json::array();
  for (const convert::Target& target : found.targets) {
    Json& row = targets.append(Json::object());
    row.set("to", target.to);
    row.set("problem", target.obstacle ? problem(*target.obstacle) : Json());
  }
  Json document = Json::object();
  document.set("from", found.from);
  document.set("targets", std::move(targets));
  return document.dump();
}

Result<std::string> conversion_run(const SourceFiles& sources, std::string_view options) {
  AMBRY_TRY(convert::Options read, read_options(options));
  model::Model target;
  read.inspect_target = warn_of_target;
  read.target = &target;
  AMBRY_TRY(Conversion conversion, Conversion::begin(sources, read));
  AMBRY_TRY(const RunReport report, report_of_target(conversion, target));
  Json document = Json::object();
  // The head of an encoder decides, and not the format.
  using formats::Runs;
  if (report.runs != Runs::Encoder && opening::format_for(report.runs) == "embd") {
    document.set("kind", kind_name(report.runs));
  }
  document.set("memory", memory_document(report.memory));
  document.set("obstacle", report.obstacle ? problem(*report.obstacle) : Json());
  document.set("warnings", problems(conversion.warnings()));
  set_generator(report, document);
  return document.dump();
}

Result<std::string> conversion_to_run(const SourceFiles& sources, std::string_view kind) {
  AMBRY_TRY(const auto found, opening::conversion_to_run(sources, formats::find_kind(kind)));
  Json document = Json::object();
  document.set("kind", kind_name(found.runs));
  document.set("to", found.to);
  return document.dump();
}

std::string conversion_warnings(const Conversion& conversion) {
  return problems(conversion.warnings()).dump();
}

}  // namespace ambry::api
