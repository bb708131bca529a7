// A loaded tinyRuntime network: its facts, its plan, and the jobs that classify.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/classifier/classify_job.h"
#include "api/loading/byte_sink.h"
#include "base/result.h"
#include "infer/cnn/ops/weights.h"
#include "io/source.h"
#include "model/cnn/cnn_plan.h"
#include "model/file/model.h"

namespace ambry::api {

class ClassifierSession {
 public:
  ClassifierSession(model::Model model, infer::CnnWeights weights);

  // JSON of file_info() with `classifier`: {variant, plan, input: [channels, height, width],
  // classes}. `plan` is `given`, `derived` from the table, or `needed`. `input` is null while no
  // plan states it.
  [[nodiscard]] std::string info() const;
  // The number of bytes that the weights take.
  [[nodiscard]] uint64_t weight_bytes() const;

  // Sets the plan, as JSON (model/cnn/cnn_plan.h), for all jobs that begin afterwards. Errors of
  // read_cnn_plan() and check_graph(); Mismatch when labels and outputs differ in number.
  [[nodiscard]] Result<void> use_plan(std::string_view plan);

  // `options` is JSON {topK: 5, mode: exact | fast, trace: false, activations: false}, all
  // optional. Unsupported when a plan is needed.
  [[nodiscard]] Result<ClassifyJob> begin_classify(std::string_view options) const;

 private:
  model::Model model_;
  std::shared_ptr<const infer::CnnWeights> weights_;
  std::optional<model::CnnPlan> plan_;
};

// Streams a file's weights into memory. Call begin() with the file's head, pass the bytes as in
// ByteSink, then call finish().
class ClassifierLoader final : public ByteSink {
 public:
  // NeedBytes while bytes are missing.
  [[nodiscard]] static Result<std::unique_ptr<ClassifierLoader>> begin(const io::Source& source);
  // Call once, when wanted() is 0.
  [[nodiscard]] ClassifierSession finish();

 private:
  ClassifierLoader(model::Model model, infer::CnnWeightsBuilder builder)
      : ByteSink(TensorMemory::Whole), model_(std::move(model)), builder_(std::move(builder)) {}

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  model::Model model_;
  infer::CnnWeightsBuilder builder_;
};

}  // namespace ambry::api
