// Loads a model that generates text. Call begin() with the file's head. Then pass the resident
// weights as in ByteSink, or one by one if not all are resident (needed()). Then call finish().
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/decoder/generator_session.h"
#include "api/loading/byte_sink.h"
#include "api/loading/tensor_receiver.h"
#include "base/result.h"
#include "infer/decoder/decoder_builder.h"
#include "io/source.h"
#include "model/file/model.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

class GeneratorLoader final : public ByteSink, public TensorReceiver {
 public:
  // `settings` is JSON {weights: as-stored | f32, kv: f32 | f16 | int8, context, resident}, all
  // optional: whether quantized weights are multiplied by quantized activations or by floats, the
  // type of the KV cache, the most tokens, and the most bytes of weights in memory. NeedBytes while
  // bytes are missing.
  [[nodiscard]] static Result<std::unique_ptr<GeneratorLoader>> begin(const io::Source& source,
                                                                      std::string_view settings);

  // JSON [[tensor, offset, bytes]] of the tensors to give one by one; [] when all bytes stream.
  [[nodiscard]] std::string needed() const;

  // Call once, when everything is given.
  [[nodiscard]] Result<GeneratorSession> finish();

 private:
  struct Parts {
    model::Model model;
    std::unique_ptr<text::Tokenizer> tokenizer;
    infer::DecoderBuilder builder;
    uint64_t resident = 0;
    std::vector<model::TensorEntry> stored;  // as in ModelToRun
  };

  explicit GeneratorLoader(Parts parts) : ByteSink(TensorMemory::Whole), parts_(std::move(parts)) {}

  [[nodiscard]] std::vector<size_t> wanted_tensors() const;
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }
  [[nodiscard]] const model::Model& described() const override { return parts_.model; }
  [[nodiscard]] Result<void> receive(size_t tensor, AlignedBuffer bytes) override;

  Parts parts_;
};

}  // namespace ambry::api
