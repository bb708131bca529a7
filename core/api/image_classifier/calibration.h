// Runs a float tinyRuntime network over images to observe the ranges of its values, which SQ8
// needs. Call begin() with the file's head, then pass the bytes as in ByteSink, then run images.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/image_classifier/network_input.h"
#include "api/loading/byte_sink.h"
#include "base/result.h"
#include "infer/cnn/network.h"
#include "infer/cnn/ops/weights.h"
#include "infer/cnn/range_observer.h"
#include "io/source.h"
#include "model/cnn/cnn_plan.h"
#include "model/file/model.h"

namespace ambry::api {

class Calibration final : public ByteSink {
 public:
  // NeedBytes while bytes are missing. Unsupported for anything but a float tinyRuntime network,
  // and for one that needs a plan (model/cnn/cnn_blocks.h). `plan` is JSON (model/cnn/cnn_plan.h),
  // or empty.
  [[nodiscard]] static Result<std::unique_ptr<Calibration>> begin(const io::Source& source,
                                                                  std::string_view plan = {});

  // The memory for the next image; use one of the two (network_input.h).
  [[nodiscard]] Result<std::span<float>> image(uint64_t n_values);
  [[nodiscard]] Result<MutableBytes> picture(uint64_t width, uint64_t height);
  // Runs the image in that memory. Call only when wanted() is 0.
  [[nodiscard]] Result<void> run();
  // JSON of ranges_document(). BadValue before the first image.
  [[nodiscard]] Result<std::string> ranges() const;

 private:
  Calibration(model::Model model, infer::CnnWeightsBuilder builder)
      : ByteSink(TensorMemory::Whole), model_(std::move(model)), builder_(std::move(builder)) {}

  Result<void> create_network();
  [[nodiscard]] NetworkFacts facts() const {
    return {network_ ? network_->weights().table : builder_.table(), plan_};
  }
  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  model::Model model_;
  infer::CnnWeightsBuilder builder_;
  std::optional<model::CnnPlan> plan_;
  std::optional<infer::CnnNetwork> network_;
  std::optional<infer::CnnRangeObserver> watcher_;  // observes network_
  NetworkInput image_;
  uint64_t n_images_ = 0;
};

}  // namespace ambry::api
