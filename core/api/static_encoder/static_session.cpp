#include "api/static_encoder/static_session.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/loading/model_range.h"
#include "formats/embd/embd_parse.h"
#include "model/metadata/metadata_value.h"

namespace ambry::api {
namespace {

// Only this format holds static models, so no other parser is linked.
Result<model::Model> parse_static(const io::Source& source) {
  io::Diagnostics diagnostics;
  AMBRY_TRY(model::Model model, formats::embd::parse_f0(source, diagnostics, {}));
  if (!model::is_static(model)) {
    return model::metadata_error(model.metadata, "architecture", ErrorCode::Unsupported,
                                 "not a static model");
  }
  if (!model.tokenizer) {
    return make_error(ErrorCode::Unsupported, "tokenizer",
                      "this file has no vocabulary, so it cannot embed text");
  }
  if (!diagnostics.errors.empty()) return std::move(diagnostics.errors.front());
  return model;
}

Result<void> check_weights(std::string_view weights) {
  if (weights == "as-stored" || weights == "f32") return {};
  return make_error(ErrorCode::Unsupported, "options.weights",
                    {"a static model runs as it is stored; convert it to ", weights,
                     " instead (ambry convert --dtype)"});
}

}  // namespace

Result<std::unique_ptr<StaticLoader>> StaticLoader::begin(const io::Source& source,
                                                          std::string_view weights) {
  AMBRY_RETURN_IF_ERROR(check_weights(weights));
  AMBRY_TRY(model::Model model, parse_static(source));
  AMBRY_TRY(model::StaticConfig config, model::static_config(model));
  AMBRY_TRY(Tokenizer tokenizer, Tokenizer::create(*model.tokenizer));
  if (tokenizer.get().size() > config.vocab_size) {
    return model::metadata_error(model.metadata, "added_tokens", ErrorCode::Mismatch,
                                 {"the tokenizer has ids up to ", tokenizer.get().size() - 1,
                                  ", but there are vectors for ", config.vocab_size, " tokens"});
  }
  AMBRY_TRY(infer::StaticBuilder builder, infer::StaticBuilder::plan(model, config));
  std::vector<size_t> wanted;
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (builder.wants(i)) wanted.push_back(i);
  }
  const StreamedRange range = streamed_range(model, wanted);
  std::unique_ptr<StaticLoader> loader(new StaticLoader(
      {std::move(model), std::move(config), std::move(tokenizer), std::move(builder)}));
  AMBRY_RETURN_IF_ERROR(loader->lay_out(loader->parts_.model, wanted, range.begin, range.end));
  return loader;
}

Result<void> StaticLoader::on_chunk(const Segment& segment, uint64_t /*offset*/,
                                    AlignedBuffer& chunk) {
  if (segment.tensor == kNoTensor) return {};
  return parts_.builder.accept(segment.tensor, std::move(chunk));
}

Result<StaticSession> StaticLoader::finish() {
  assert(wanted() == 0);
  AMBRY_TRY(infer::StaticEncoder encoder, std::move(parts_.builder).finish());
  return StaticSession(std::move(parts_.model), std::move(parts_.config),
                       std::move(parts_.tokenizer), std::move(encoder));
}

StaticSession::StaticSession(model::Model model, model::StaticConfig config, Tokenizer tokenizer,
                             infer::StaticEncoder encoder)
    : model_(std::move(model)),
      runtime_(std::make_shared<const StaticRuntime>(StaticRuntime{
          std::move(config), std::move(tokenizer), std::move(encoder), model_.tokenizer->unk_id})) {
}

std::string StaticSession::info() const {
  return file_info(model_, static_config_document(runtime_->config)).dump();
}

Result<StaticEmbedJob> StaticSession::begin_embed(std::string_view options) const {
  return StaticEmbedJob::begin(runtime_, options);
}

}  // namespace ambry::api
