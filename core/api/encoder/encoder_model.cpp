#include "api/encoder/encoder_model.h"

#include <cassert>
#include <utility>
#include <vector>

#include "api/call/documents.h"
#include "api/call/options.h"
#include "api/encoder/make_encoder_tokenizer.h"
#include "api/loading/model_range.h"
#include "api/loading/parse_to_run.h"
#include "api/loading/reserve_heap.h"
#include "infer/encoder/encoder_builder.h"

namespace ambry::api {
namespace {

Result<infer::WeightStorage> weight_storage(std::string_view options) {
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const std::string name, read_text(json, "weights", "as-stored"));
  if (name == "as-stored") return infer::WeightStorage::AsStored;
  if (name == "int8") return infer::WeightStorage::Int8;
  if (name == "f32") return infer::WeightStorage::F32;
  return bad_option("weights", {"must be as-stored, int8 or f32, not ", name});
}

Result<model::Model> parse_encoder(const io::Source& source) {
  AMBRY_TRY(model::Model model, parse_to_run(source, formats::encoder_formats()));
  AMBRY_RETURN_IF_ERROR(require_vocabulary(model));
  return model;
}

class EncoderLoader final : public Loader {
 public:
  EncoderLoader(model::Model model, model::EncoderConfig config,
                std::unique_ptr<text::Tokenizer> tokenizer, infer::EncoderBuilder builder)
      : Loader(EncoderModel::kKind),
        model_(std::move(model)),
        config_(std::move(config)),
        tokenizer_(std::move(tokenizer)),
        builder_(std::move(builder)) {}

  [[nodiscard]] Result<void> lay_out(infer::WeightStorage storage) {
    const std::vector<size_t> wanted = wanted_tensors(model_, builder_);
    // What becomes int8 needs a quarter. More room would be copied for each further worker.
    reserve_heap(bytes_of(model_, wanted) / (storage == infer::WeightStorage::Int8 ? 4 : 1));
    const StreamedRange range = streamed_range(model_, wanted);
    return ByteSink::lay_out(model_, wanted, range.begin, range.end);
  }

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override {
    assert(wanted() == 0);
    AMBRY_TRY(infer::Encoder encoder, std::move(builder_).finish());
    return std::unique_ptr<OpenedModel>(new EncoderModel(
        std::move(model_),
        EncoderRuntime{std::move(config_), std::move(tokenizer_), std::move(encoder)}));
  }

 private:
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t /*offset*/,
                                      AlignedBuffer& chunk) override {
    if (segment.tensor == kNoTensor) return {};
    return builder_.accept(segment.tensor, std::move(chunk));
  }

  model::Model model_;
  model::EncoderConfig config_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  infer::EncoderBuilder builder_;
};

}  // namespace

Result<void> require_vocabulary(const model::Model& model) {
  if (model.tokenizer) return {};
  return make_error(ErrorCode::Unsupported, "tokenizer",
                    {"this ", model.format,
                     " file has no vocabulary, so it cannot embed text; convert its directory to "
                     "embd first"});
}

Result<std::unique_ptr<Loader>> EncoderModel::load(const io::Source& source,
                                                   std::string_view options) {
  AMBRY_TRY(const infer::WeightStorage storage, weight_storage(options));
  AMBRY_TRY(model::Model model, parse_encoder(source));
  AMBRY_TRY(model::EncoderConfig config, model::encoder_config(model));
  AMBRY_TRY(auto tokenizer, make_encoder_tokenizer(*model.tokenizer));
  AMBRY_TRY(infer::EncoderBuilder builder, infer::EncoderBuilder::plan(model, config, storage));
  auto loader = std::make_unique<EncoderLoader>(std::move(model), std::move(config),
                                                std::move(tokenizer), std::move(builder));
  AMBRY_RETURN_IF_ERROR(loader->lay_out(storage));
  return std::unique_ptr<Loader>(std::move(loader));
}

EncoderModel::EncoderModel(model::Model model, EncoderRuntime runtime)
    : OpenedModel(kKind),
      model_(std::move(model)),
      runtime_(std::make_shared<const EncoderRuntime>(std::move(runtime))) {}

std::string EncoderModel::info() const {
  return file_info(model_, encoder_config_document(runtime_->config)).dump();
}

}  // namespace ambry::api
