#include "api/static_encoder/static_encoder_model.h"

#include <cassert>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/call/options.h"
#include "api/encoder/make_encoder_tokenizer.h"
#include "api/loading/model_range.h"
#include "formats/embd/embd_parse.h"
#include "infer/static_encoder/static_builder.h"
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

Result<void> check_weights(std::string_view options) {
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const std::string weights, read_text(json, "weights", "as-stored"));
  if (weights == "as-stored" || weights == "f32") return {};
  return make_error(ErrorCode::Unsupported, "options.weights",
                    {"a static model runs as it is stored; convert it to ", weights,
                     " instead (ambry convert --dtype)"});
}

class StaticEncoderLoader final : public Loader {
 public:
  StaticEncoderLoader(model::Model model, model::StaticConfig config,
                      std::unique_ptr<text::Tokenizer> tokenizer, infer::StaticBuilder builder)
      : Loader(StaticEncoderModel::kKind),
        model_(std::move(model)),
        config_(std::move(config)),
        tokenizer_(std::move(tokenizer)),
        builder_(std::move(builder)) {}

  [[nodiscard]] Result<void> lay_out() {
    const std::vector<size_t> wanted = wanted_tensors(model_, builder_);
    const StreamedRange range = streamed_range(model_, wanted);
    return ByteSink::lay_out(model_, wanted, range.begin, range.end);
  }

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override {
    assert(wanted() == 0);
    AMBRY_TRY(infer::StaticEncoder encoder, std::move(builder_).finish());
    return std::unique_ptr<OpenedModel>(new StaticEncoderModel(
        std::move(model_), std::move(config_), std::move(tokenizer_), std::move(encoder)));
  }

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t /*offset*/,
                                      AlignedBuffer& chunk) override {
    if (segment.tensor == kNoTensor) return {};
    return builder_.accept(segment.tensor, std::move(chunk));
  }

  model::Model model_;
  model::StaticConfig config_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  infer::StaticBuilder builder_;
};

}  // namespace

Result<std::unique_ptr<Loader>> StaticEncoderModel::load(const io::Source& source,
                                                         std::string_view options) {
  AMBRY_RETURN_IF_ERROR(check_weights(options));
  AMBRY_TRY(model::Model model, parse_static(source));
  AMBRY_TRY(model::StaticConfig config, model::static_config(model));
  AMBRY_TRY(auto tokenizer, make_encoder_tokenizer(*model.tokenizer));
  if (tokenizer->size() > config.vocab_size) {
    return model::metadata_error(model.metadata, "added_tokens", ErrorCode::Mismatch,
                                 {"the tokenizer has ids up to ", tokenizer->size() - 1,
                                  ", but there are vectors for ", config.vocab_size, " tokens"});
  }
  AMBRY_TRY(infer::StaticBuilder builder, infer::StaticBuilder::plan(model, config));
  auto loader = std::make_unique<StaticEncoderLoader>(std::move(model), std::move(config),
                                                      std::move(tokenizer), std::move(builder));
  AMBRY_RETURN_IF_ERROR(loader->lay_out());
  return std::unique_ptr<Loader>(std::move(loader));
}

StaticEncoderModel::StaticEncoderModel(model::Model model, model::StaticConfig config,
                                       std::unique_ptr<text::Tokenizer> tokenizer,
                                       infer::StaticEncoder encoder)
    : OpenedModel(kKind),
      model_(std::move(model)),
      runtime_(std::make_shared<const StaticRuntime>(StaticRuntime{
          std::move(config), std::move(tokenizer), std::move(encoder), model_.tokenizer->unk_id})) {
}

std::string StaticEncoderModel::info() const {
  return file_info(model_, static_config_document(runtime_->config)).dump();
}

}  // namespace ambry::api
