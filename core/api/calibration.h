// Runs a float network of tinyRuntime's over images to see the ranges of its numbers, which SQ8
// needs. First begin() with the file's head, then the bytes as ByteSink says, then images.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/byte_sink.h"
#include "base/result.h"
#include "infer/cnn_forward.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::api {

class Calibration final : public ByteSink {
 public:
  // NeedBytes while the held parts do not suffice. Unsupported for what is no float network of
  // tinyRuntime's, or none that can be run (model/cnn_blocks.h).
  [[nodiscard]] static Result<std::unique_ptr<Calibration>> begin(const io::Source& source);

  // Memory for the next image: n_numbers floats, channels × side × side, already normalised.
  [[nodiscard]] Result<std::span<float>> image(uint64_t n_numbers);
  // Runs the image that was put there. Not before wanted() is 0.
  [[nodiscard]] Result<void> run();
  // JSON of ranges_document(). BadValue before the first image.
  [[nodiscard]] Result<std::string> ranges() const;

 private:
  Calibration() : ByteSink(TensorMemory::Whole) {}

  Result<void> prepare(const io::Source& source);
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  model::Model model_;
  infer::CnnWeights weights_;                // while they arrive
  std::vector<std::vector<float>*> places_;  // in weights_, of each tensor of the model
  std::optional<infer::CnnForward> network_;
  AlignedBuffer image_;
  uint64_t n_images_ = 0;
};

}  // namespace ambry::api
