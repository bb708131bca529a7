// Loads a model that generates text. Pass the resident weights as in ByteSink, or one by one if not
// all are resident (needed()).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/generator_model.h"
#include "api/loading/tensor_receiver.h"
#include "api/model/loader.h"
#include "base/result.h"
#include "infer/decoder/decoder_builder.h"
#include "io/source.h"
#include "model/file/model.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

class GeneratorLoader final : public Loader, public TensorReceiver {
 public:
  static constexpr std::string_view kKind = GeneratorModel::kKind;

  [[nodiscard]] static Result<std::unique_ptr<GeneratorLoader>> begin(const io::Source& source,
                                                                      std::string_view options);

  // JSON [[tensor, offset, bytes]] of the tensors to give one by one; [] when all bytes stream.
  [[nodiscard]] std::string needed() const;

  [[nodiscard]] Result<std::unique_ptr<OpenedModel>> finish() override;

 private:
  struct Parts {
    model::Model model;
    std::unique_ptr<text::Tokenizer> tokenizer;
    infer::DecoderBuilder builder;
    uint64_t resident = 0;
    bool device = false;
    std::vector<model::TensorEntry> stored;  // as in ModelToRun
  };

  explicit GeneratorLoader(Parts parts) : Loader(kKind), parts_(std::move(parts)) {}

  // Whether tensors are given one by one.
  [[nodiscard]] bool is_parted() const { return parts_.resident > 0 || parts_.device; }
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] const model::Model& described() const override { return parts_.model; }
  [[nodiscard]] Result<void> receive(size_t tensor, AlignedBuffer bytes) override;

  Parts parts_;
};

}  // namespace ambry::api
