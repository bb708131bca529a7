#include "convert/tokenizer_plan.h"

#include <string>
#include <utility>
#include <vector>

#include "formats/amb/amb_write.h"
#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_write.h"
#include "formats/huggingface/directory.h"
#include "formats/huggingface/modules/module_chain.h"
#include "formats/huggingface/side_files/file_values.h"
#include "formats/huggingface/static_directory.h"
#include "formats/huggingface/tokenizer/decoder_tokenizer.h"
#include "formats/huggingface/tokenizer/encoder_tokenizer_files.h"
#include "io/diagnostics.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/letter_case.h"
#include "model/tokenizer/tokenizer_metadata.h"

namespace ambry::convert {
namespace {

using io::Json;
using model::TokenizerData;
namespace huggingface = formats::huggingface;
using huggingface::SideFiles;

constexpr const char* kConfig = "config.json";
constexpr const char* kVocabulary = "vocab.txt";
constexpr const char* kLowercase = "options.lowercase";

Result<Plan> of_decoder(const SideFiles& side, const Options& options) {
  AMBRY_TRY(const auto config, huggingface::read_json_file(side, kConfig));
  AMBRY_TRY(auto made,
            huggingface::read_decoder_tokenizer(side, config ? *config : Json::object()));
  if (!made) {
    return make_error(ErrorCode::NotFound, "tokenizer.json",
                      "there is no tokenizer.json, tokenizer.model or vocab.json");
  }
  AMBRY_RETURN_IF_ERROR(model::set_lowercase(options.lowercase, kLowercase, made->tokenizer));
  Plan plan;
  plan.warnings = std::move(made->warnings);
  plan.target.format = "amb";
  plan.target.tokenizer = std::move(made->tokenizer);
  plan.target.config = Json::object();
  plan.target.config.set("tokenizer", std::move(made->options));
  plan.target.metadata = Json::object();
  AMBRY_TRY(plan.layout, formats::amb::lay_out(plan.target));
  return plan;
}

Result<Plan> embd_plan(TokenizerData tokenizer, std::vector<Error> warnings) {
  Plan plan;
  plan.warnings = std::move(warnings);
  if (tokenizer.lowercase_assumed) {
    plan.warnings.push_back(std::move(*model::assumed_uncased(kVocabulary)));
    tokenizer.lowercase_assumed = false;  // the target states it
  }
  plan.target.format = "embd";
  plan.target.version = "F0 1.0";
  plan.target.metadata = Json::object();
  for (const std::string_view key : formats::embd::kRequiredMetadata) {
    plan.target.metadata.set(key, "");
  }
  model::set_tokenizer_metadata(tokenizer, plan.target.metadata);
  plan.target.tokenizer = std::move(tokenizer);
  AMBRY_TRY(plan.layout, formats::embd::lay_out(plan.target));
  return plan;
}

// By the rules of encoders, and the files of the tokenizer alone.
Result<TokenizerData> beside_unknown_model(const SideFiles& side, const Options& options) {
  AMBRY_TRY(const auto modules, huggingface::read_module_chain(side));
  const std::string& folder = modules.transformer_folder;
  AMBRY_TRY(const auto config, huggingface::read_json_file(side, folder + kConfig));
  const auto type = config ? model::metadata_text(*config, "model_type") : std::nullopt;
  AMBRY_TRY(TokenizerData made, huggingface::read_tokenizer(side, folder, type.value_or("")));
  AMBRY_RETURN_IF_ERROR(model::set_lowercase(options.lowercase, kLowercase, made));
  return made;
}

Result<Plan> of_static_encoder(const SideFiles& side, const Options& options) {
  AMBRY_TRY(auto directory, huggingface::read_static_directory(side));
  AMBRY_RETURN_IF_ERROR(model::set_lowercase(options.lowercase, kLowercase, directory.tokenizer));
  return embd_plan(std::move(directory.tokenizer), {});
}

Result<Plan> of_encoder(const SideFiles& side, const Options& options) {
  io::Diagnostics diagnostics;
  auto directory =
      huggingface::read_directory(side, diagnostics, {.lowercase = options.lowercase, .head = {}});
  if (directory) {
    // The others are about vectors.
    std::erase_if(diagnostics.warnings,
                  [](const Error& warning) { return !warning.path.ends_with(kVocabulary); });
    return embd_plan(std::move(directory->tokenizer), std::move(diagnostics.warnings));
  }
  auto alone = beside_unknown_model(side, options);
  if (alone) return embd_plan(std::move(*alone), {});
  // Without a config.json that names an encoder, the files may be those of a language model.
  if (directory.error().path.starts_with(kConfig)) {
    auto decoder = of_decoder(side, options);
    if (decoder) return decoder;
  }
  return alone.take_error();
}

}  // namespace

Result<Plan> plan_tokenizer(const SourceFiles& sources, const Options& options) {
  const SideFiles& side = sources.side();
  if (options.to == "amb") return of_decoder(side, options);
  return huggingface::is_static_directory(side) ? of_static_encoder(side, options)
                                                : of_encoder(side, options);
}

}  // namespace ambry::convert
