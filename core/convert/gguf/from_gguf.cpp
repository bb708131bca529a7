#include "convert/gguf/from_gguf.h"

#include <utility>

#include "convert/decoder/alt_config.h"
#include "convert/decoder/sentencepiece_file.h"
#include "convert/gguf/decoder_from_gguf.h"
#include "convert/plan/source_model.h"
#include "convert/tensor/target_dtype.h"
#include "formats/alt/alt_layout.h"
#include "formats/alt/alt_write.h"
#include "formats/amb/amb_layout.h"
#include "formats/amb/amb_write.h"
#include "model/decoder/decoder_config.h"
#include "model/metadata/metadata_value.h"

namespace ambry::convert {
namespace {

using io::Json;

void add_metadata(const Options& options, Json& metadata) {
  for (const auto& [key, value] : options.metadata) metadata.set(key, value);
}

}  // namespace

Result<Plan> plan_amb_from_gguf(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(GgufDecoder decoder, read_gguf_decoder(sources, options, formats::amb::kDTypes));
  Plan& plan = decoder.plan;
  AMBRY_TRY(const Json others, other_metadata(decoder.source, options, plan.warnings));
  Json& metadata = plan.target.metadata;
  if (const auto name = model::metadata_text(decoder.source.metadata, "general.name")) {
    metadata.set("name", *name);
  }
  for (const auto& [key, value] : others.members()) metadata.set(key, value);
  add_metadata(options, metadata);
  if (decoder.tokenizer_options.is_object()) {
    plan.target.config.set("tokenizer", std::move(decoder.tokenizer_options));
  }
  plan.target.format = "amb";
  AMBRY_TRY(plan.layout, formats::amb::lay_out(plan.target));
  return std::move(plan);
}

Result<Plan> plan_alt_from_gguf(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(GgufDecoder decoder, read_gguf_decoder(sources, options, formats::alt::kDTypes));
  Plan& plan = decoder.plan;
  io::Diagnostics ignored;
  AMBRY_TRY(const auto facts, model::decoder_config(plan.target, ignored));
  AMBRY_TRY(plan.target.metadata, other_metadata(decoder.source, options, plan.warnings));
  if (decoder.tokenizer_options.is_object()) {
    plan.target.config.set("tokenizer", std::move(decoder.tokenizer_options));
  }
  AMBRY_RETURN_IF_ERROR(fit_into_alt(facts, options, plan));
  if (plan.target.tokenizer && !types_can_be_derived(*plan.target.tokenizer)) {
    AMBRY_RETURN_IF_ERROR(
        lose(options, plan.warnings,
             make_error(ErrorCode::Unsupported, "tokenizer.types",
                        "ALT has no special tokens except bos, eos, pad and unk")));
  }
  AMBRY_TRY(plan.layout, formats::alt::lay_out(plan.target));
  return std::move(plan);
}

}  // namespace ambry::convert
