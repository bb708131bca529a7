#include "opening/conversion_to_run.h"

#include <string>

#include "convert/conversion_table.h"
#include "convert/plan/identify.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/config/heads/reranker_settings.h"
#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/static_directory.h"
#include "model/metadata/metadata_value.h"

namespace ambry::opening {
namespace {

using convert::Options;
using convert::SourceFiles;
namespace huggingface = formats::huggingface;

constexpr const char* kConfig = "config.json";
constexpr std::string_view kOnnx = "onnx";

bool has_config(const huggingface::SideFiles& side) {
  if (side.find(kConfig) != nullptr) return true;
  const auto modules = huggingface::read_module_chain(side);
  return modules && side.find(modules->transformer_folder + kConfig) != nullptr;
}

// Empty where config.json states none.
std::string model_type(const huggingface::SideFiles& side) {
  const auto config = huggingface::read_json_file(side, kConfig);
  if (!config || !*config) return "";
  return std::string(model::metadata_text(**config, "model_type").value_or(""));
}

bool generates_text(const huggingface::SideFiles& side) {
  return huggingface::is_decoder_type(model_type(side));
}

// Nothing is known of a directory that states no type, or has its config.json in another folder.
bool encodes_text(const huggingface::SideFiles& side) {
  const std::string type = model_type(side);
  return type.empty() || huggingface::is_encoder_type(type);
}

// Whether the files of a language model state how it makes embeddings, or how it ranks.
bool states_other_use(const huggingface::SideFiles& side) {
  if (side.find(huggingface::kModules) != nullptr) return true;
  const auto config = huggingface::read_json_file(side, kConfig);
  return config && *config && huggingface::states_reranker(side, {kConfig, **config});
}

bool has_conversion(std::string_view from, Runs runs) {
  Options options;
  options.to = format_for(runs);
  return !options.to.empty() && convert::find_conversion(from, options);
}

// Tensors alone are a network for pictures, or nobody knows what.
Result<Runs> kind_of_tensors(const SourceFiles& sources, std::string_view from) {
  Options options;
  options.to = format_for(Runs::ImageClassifier);
  AMBRY_TRY(const auto row, convert::find_conversion(from, options));
  auto network = row.begin(sources, options);
  if (network) return Runs::ImageClassifier;
  if (network.error().code == ErrorCode::NeedBytes) return network.take_error();
  // A graph says itself what it lacks.
  if (from == kOnnx) return network.take_error();
  if (!sources.side().empty()) return Runs::Encoder;
  return make_error(ErrorCode::NotFound, kConfig,
                    "The weights alone do not say what the model is. Open their directory, which "
                    "has config.json and the tokenizer.");
}

// Weights with the small files of their directory. Where these name no known model, the conversion
// to the format of encoders says so.
Result<Runs> kind_of_directory(const SourceFiles& sources, std::string_view from) {
  const huggingface::SideFiles& side = sources.side();
  if (huggingface::is_static_directory(side)) return Runs::Encoder;
  if (!has_config(side)) return kind_of_tensors(sources, from);
  if (from == kOnnx && !encodes_text(side) && !generates_text(side)) {
    auto kind = kind_of_tensors(sources, from);
    if (kind || kind.error().code != ErrorCode::Mismatch) return kind;
  }
  return generates_text(side) ? Runs::Decoder : Runs::Encoder;
}

Result<Runs> kind_of(const SourceFiles& sources) {
  AMBRY_TRY(const std::string_view from, convert::identify(sources, {}));
  const formats::Format* format = formats::find_format(from);
  if (format != nullptr) {
    AMBRY_TRY(const Opening opening, opening_of(sources.main(), *format));
    if (opening.runs == Runs::Nothing) return kind_of_directory(sources, from);
    if (has_conversion(from, opening.runs)) return opening.runs;
  }
  for (const Runs runs : {Runs::Words, Runs::Decoder}) {
    if (has_conversion(from, runs)) return runs;
  }
  return Runs::Nothing;
}

}  // namespace

Result<ConversionToRun> conversion_to_run(const SourceFiles& sources, Runs wanted) {
  // Encoders, with whatever head.
  Runs runs = format_for(wanted) == format_for(Runs::Encoder) ? Runs::Encoder : wanted;
  if (wanted == Runs::Nothing) {
    AMBRY_TRY(runs, kind_of(sources));
  } else if (runs == Runs::Encoder && generates_text(sources.side()) &&
             states_other_use(sources.side())) {
    // Language models that make embeddings or rank are encoders, and run as language models do.
    runs = Runs::Decoder;
  }
  const std::string_view to = format_for(runs);
  if (!to.empty()) return ConversionToRun{runs, to};
  // A file that nothing reads is named.
  AMBRY_RETURN_IF_ERROR(convert::identify(sources, {}));
  return make_error(ErrorCode::Unsupported, "options.kind",
                    {"Nothing can be converted to a model of kind ", kind_name(runs), "."});
}

}  // namespace ambry::opening
