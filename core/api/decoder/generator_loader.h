// From a file to a model that generates text. begin() with the file's head; the weights that are to
// be held then come as ByteSink says, or, where not all are, one by one (needed()); then finish().
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
#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::api {

class GeneratorLoader final : public ByteSink, public TensorReceiver {
 public:
  // `settings` is JSON {weights: as-stored | f32, kv: f32 | f16, context, resident}, all optional:
  // whether quantised weights meet whole numbers or floats, how keys and values are kept, tokens at
  // most, bytes of weights at most. NeedBytes while the held parts do not suffice.
  [[nodiscard]] static Result<std::unique_ptr<GeneratorLoader>> begin(const io::Source& source,
                                                                      std::string_view settings);

  // JSON [[tensor, offset, bytes]] of what is to be given one by one; [] where all bytes stream.
  [[nodiscard]] std::string needed() const;

  // Call once, when all is given.
  [[nodiscard]] Result<GeneratorSession> finish();

 private:
  struct Parts {
    model::Model model;
    std::unique_ptr<text::Tokenizer> tokenizer;
    infer::DecoderBuilder builder;
    uint64_t resident = 0;
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
