#include "api/decoder/generator_loader.h"

#include <cassert>
#include <utility>

#include "api/call/options.h"
#include "api/loading/model_range.h"
#include "api/loading/parse_to_run.h"
#include "api/loading/reserve_heap.h"
#include "api/tokenizer/json_tokenizer.h"
#include "formats/registry.h"
#include "io/json/json.h"
#include "model/decoder/decoder_config.h"
#include "text/make_tokenizer.h"

namespace ambry::api {
namespace {

using io::Json;

Result<infer::DecoderOptions> read_settings(std::string_view text) {
  AMBRY_TRY(const Json json, io::parse_json(text, 0, "options"));
  infer::DecoderOptions options;
  AMBRY_TRY(const std::string weights, read_text(json, "weights", "as-stored"));
  if (weights == "int8") {
    return make_error(ErrorCode::Unsupported, "options.weights",
                      "a generator runs the weights as stored; quantize the file instead");
  }
  if (weights != "as-stored" && weights != "f32") {
    return bad_option("weights", {"must be as-stored or f32, not ", weights});
  }
  if (weights == "f32") options.activations = kernels::ActivationPrecision::F32;
  AMBRY_TRY(const std::string kv, read_text(json, "kv", "f32"));
  if (kv != "f32" && kv != "f16" && kv != "int8") {
    return bad_option("kv", {"must be f32, f16 or int8, not ", kv});
  }
  if (kv == "f16") options.kv = infer::KvType::F16;
  if (kv == "int8") options.kv = infer::KvType::Int8;
  AMBRY_TRY(options.context, read_count(json, "context", 0));
  AMBRY_TRY(options.resident, read_count(json, "resident", 0));
  AMBRY_TRY(options.device, read_bool(json, "device", false));
  // A device computes with floats, and so does what checks it or takes over.
  if (options.device) options.activations = kernels::ActivationPrecision::F32;
  return options;
}

Result<std::unique_ptr<text::Tokenizer>> make_tokenizer(model::Model& model) {
  AMBRY_RETURN_IF_ERROR(resolve_custom_tokenizer(model, writes_text(model)));
  AMBRY_TRY(auto made, text::make_tokenizer(*model.tokenizer));
  if (writes_text(model)) AMBRY_RETURN_IF_ERROR(made->can_decode());
  return std::move(made);
}

// nullptr when the file has no tokenizer, or an unsupported one. The model then takes only ids.
Result<std::unique_ptr<text::Tokenizer>> tokenizer_of(model::Model& model) {
  if (!model.tokenizer) return std::unique_ptr<text::Tokenizer>();
  const bool opaque = model.tokenizer->kind == model::TokenizerKind::Custom;
  auto made = make_tokenizer(model);
  if (!made && opaque && made.error().code == ErrorCode::Unsupported) {
    return std::unique_ptr<text::Tokenizer>();
  }
  return made;
}

}  // namespace

Result<std::unique_ptr<GeneratorLoader>> GeneratorLoader::begin(const io::Source& source,
                                                                std::string_view options_text) {
  AMBRY_TRY(const infer::DecoderOptions options, read_settings(options_text));
  AMBRY_TRY(ModelToRun file, read_to_run(source, formats::decoder_formats()));
  model::Model& model = file.model;
  io::Diagnostics diagnostics;
  AMBRY_TRY(const model::DecoderConfig config, model::decoder_config(model, diagnostics));
  // This comes first, because the plan must know the ids.
  AMBRY_TRY(auto tokenizer, tokenizer_of(model));
  auto builder = infer::DecoderBuilder::plan(model, config, options);
  if (!builder) return with_stored_name(builder.take_error(), file);
  std::unique_ptr<GeneratorLoader> loader(
      new GeneratorLoader({std::move(file.model), std::move(tokenizer), std::move(*builder),
                           options.resident, options.device, std::move(file.stored)}));
  const model::Model& described = loader->parts_.model;
  if (loader->is_parted()) {
    AMBRY_RETURN_IF_ERROR(loader->lay_out(model::Model(), {}, 0, 0));
  } else {
    const std::vector<size_t> wanted = wanted_tensors(described, loader->parts_.builder);
    reserve_heap(bytes_of(described, wanted));
    // Stream all bytes, to verify the checksums.
    AMBRY_RETURN_IF_ERROR(loader->lay_out(described, wanted, 0, described.file_bytes));
  }
  return loader;
}

std::string GeneratorLoader::needed() const {
  return tensor_ranges_text(parts_.model, is_parted() ? wanted_tensors(parts_.model, parts_.builder)
                                                      : std::vector<size_t>());
}

Result<void> GeneratorLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                       AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) return {};
  return receive(segment.tensor, std::move(chunk));
}

Result<void> GeneratorLoader::receive(size_t tensor, AlignedBuffer bytes) {
  return parts_.builder.accept(tensor, std::move(bytes));
}

Result<std::unique_ptr<OpenedModel>> GeneratorLoader::finish() {
  assert(wanted() == 0);
  AMBRY_TRY(infer::Decoder decoder, std::move(parts_.builder).finish());
  auto generator = std::make_shared<generate::Generator>(generate::Generator{
      std::move(parts_.model), std::move(parts_.tokenizer), std::move(decoder)});
  return std::unique_ptr<OpenedModel>(
      new GeneratorModel(std::move(generator), parts_.resident, std::move(parts_.stored)));
}

Result<std::unique_ptr<Loader>> GeneratorModel::load(const io::Source& source,
                                                     std::string_view options) {
  AMBRY_TRY(auto loader, GeneratorLoader::begin(source, options));
  return std::unique_ptr<Loader>(std::move(loader));
}

}  // namespace ambry::api
