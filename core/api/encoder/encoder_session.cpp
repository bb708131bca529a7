#include "api/encoder/encoder_session.h"

#include <cassert>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/loading/model_range.h"
#include "api/loading/parse_to_run.h"
#include "api/loading/reserve_heap.h"

namespace ambry::api {
namespace {

Result<infer::WeightStorage> weight_storage(std::string_view name) {
  if (name == "as-stored") return infer::WeightStorage::AsStored;
  if (name == "int8") return infer::WeightStorage::Int8;
  if (name == "f32") return infer::WeightStorage::F32;
  return make_error(ErrorCode::BadValue, "options.weights",
                    {"must be as-stored, int8 or f32, not ", name});
}

Result<model::Model> parse_encoder(const io::Source& source) {
  AMBRY_TRY(model::Model model, parse_to_run(source, formats::encoder_formats()));
  AMBRY_RETURN_IF_ERROR(require_vocabulary(model));
  return model;
}

}  // namespace

Result<void> require_vocabulary(const model::Model& model) {
  if (model.tokenizer) return {};
  return make_error(ErrorCode::Unsupported, "tokenizer",
                    {"this ", model.format,
                     " file has no vocabulary, so it cannot embed text; convert its directory to "
                     "embd first"});
}

Result<std::unique_ptr<EncoderLoader>> EncoderLoader::begin(const io::Source& source,
                                                            std::string_view weights) {
  AMBRY_TRY(const infer::WeightStorage storage, weight_storage(weights));
  AMBRY_TRY(model::Model model, parse_encoder(source));
  AMBRY_TRY(model::EncoderConfig config, model::encoder_config(model));
  AMBRY_TRY(Tokenizer tokenizer, Tokenizer::create(*model.tokenizer));
  AMBRY_TRY(infer::EncoderBuilder builder, infer::EncoderBuilder::plan(model, config, storage));

  std::vector<size_t> wanted;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (builder.wants(i)) wanted.push_back(i);
  }
  // What becomes int8 needs a quarter. More room would be copied for each further worker.
  reserve_heap(bytes_of(model, wanted) / (storage == infer::WeightStorage::Int8 ? 4 : 1));
  const StreamedRange range = streamed_range(model, wanted);
  std::unique_ptr<EncoderLoader> loader(new EncoderLoader(
      {std::move(model), std::move(config), std::move(tokenizer), std::move(builder)}));
  AMBRY_RETURN_IF_ERROR(loader->lay_out(loader->parts_.model, wanted, range.begin, range.end));
  return loader;
}

Result<void> EncoderLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                     AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) return {};
  return parts_.builder.accept(segment.tensor, std::move(chunk));
}

Result<EncoderSession> EncoderLoader::finish() {
  assert(wanted() == 0);
  AMBRY_TRY(infer::Encoder encoder, std::move(parts_.builder).finish());
  return EncoderSession(std::move(parts_.model), std::move(parts_.config),
                        std::move(parts_.tokenizer), std::move(encoder));
}

EncoderSession::EncoderSession(model::Model model, model::EncoderConfig config, Tokenizer tokenizer,
                               infer::Encoder encoder)
    : model_(std::move(model)),
      runtime_(std::make_shared<const EncoderRuntime>(
          EncoderRuntime{std::move(config), std::move(tokenizer), std::move(encoder)})) {}

std::string EncoderSession::info() const { return file_info(model_).dump(); }

Result<EmbedJob> EncoderSession::begin_embed(std::string_view options) const {
  return EmbedJob::begin(runtime_, options);
}

Result<ScoreJob> EncoderSession::begin_score(std::string_view options) const {
  return ScoreJob::begin(runtime_, options);
}

Result<TokenJob> EncoderSession::begin_tokens(std::string_view options) const {
  return TokenJob::begin(runtime_, options);
}

}  // namespace ambry::api
