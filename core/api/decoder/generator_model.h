// A loaded model that generates text, and the missing tensors of a model whose weights are not all
// resident.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/loading/tensor_receiver.h"
#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "base/result.h"
#include "generate/run/generator.h"
#include "generate/run/prompt.h"

namespace ambry::api {

class GeneratorModel final : public OpenedModel, public TensorReceiver {
 public:
  static constexpr std::string_view kKind = "generator";

  // See LoadModel; the loader is a GeneratorLoader. `options` is JSON {weights: as-stored | f32,
  // kv: f32 | f16 | int8, context, resident, device}, all optional: whether quantized weights are
  // multiplied by quantized activations or by floats, the type of the KV cache, the most tokens,
  // the most bytes of weights in memory, and whether a device computes the passes.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  // `resident` is the most bytes of weights in memory, 0 for all. `stored` is as in ModelToRun.
  GeneratorModel(std::shared_ptr<generate::Generator> generator, uint64_t resident,
                 std::vector<model::TensorEntry> stored)
      : OpenedModel(kKind),
        generator_(std::move(generator)),
        resident_(resident),
        stored_(std::move(stored)) {}

  // JSON of file_info(), whose `config` has the names of a sentence encoder's, too, when the model
  // makes embeddings (embeddingDim, hiddenSize, pooling, …); and with `generator`: {architecture,
  // context, slidingWindow, vocabulary, layers, keyValueBytes, kv, endIds, specialTokens,
  // chatTemplate, chatTemplates, streaming: {resident, bytesPerPass}}.
  [[nodiscard]] std::string info() const override;
  [[nodiscard]] uint64_t weight_bytes() const override {
    return generator_->decoder.weight_bytes();
  }

  // The threads that its jobs run on (infer::Decoder::set_team).
  void set_team(WorkTeam* team) { generator_->decoder.set_team(team); }

  [[nodiscard]] Result<const text::Tokenizer*> tokenizer() const override {
    return generate::need_tokenizer(*generator_);
  }
  // Jobs share it.
  [[nodiscard]] const std::shared_ptr<generate::Generator>& generator() const { return generator_; }

  // Frees parts until there is room for `part`. Returns the missing tensors of `part` as JSON
  // [[tensor, offset, bytes]]. NotFound when there is no such part.
  [[nodiscard]] Result<std::string> room_for(uint64_t part);
  // The missing tensors of the next part that lacks some; [] when there is none.
  [[nodiscard]] Result<std::string> lacking_next(uint64_t part) const;

 private:
  [[nodiscard]] Result<void> check_part(uint64_t part) const;
  [[nodiscard]] const model::Model& described() const override { return generator_->model; }
  [[nodiscard]] Result<void> receive(size_t tensor, AlignedBuffer bytes) override {
    return generator_->decoder.put_tensor(tensor, std::move(bytes));
  }

  std::shared_ptr<generate::Generator> generator_;
  uint64_t resident_;
  std::vector<model::TensorEntry> stored_;
};

}  // namespace ambry::api
