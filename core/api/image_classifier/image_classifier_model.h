// A loaded network that classifies images, its plan, and the jobs that classify.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/image_classifier/classify_job.h"
#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "base/result.h"
#include "infer/cnn/ops/weights.h"
#include "io/source.h"
#include "model/cnn/cnn_plan.h"
#include "model/file/model.h"

namespace ambry::api {

class ImageClassifierModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "imageClassifier";

  // See LoadModel. There are no options.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  ImageClassifierModel(model::Model model, infer::CnnWeights weights);

  // JSON of file_info() with `imageClassifier`: {variant, plan, input: [channels, height,
  // width], classes}. `plan` is `given`, `derived` from the table, or `needed`. `input` is null
  // while no plan states it.
  [[nodiscard]] std::string info() const override;
  [[nodiscard]] uint64_t weight_bytes() const override;

  // Sets the plan, as JSON (model/cnn/cnn_plan.h), for all jobs that begin afterwards. Errors of
  // read_cnn_plan() and check_graph(); Mismatch when labels and outputs differ in number.
  [[nodiscard]] Result<void> use_plan(std::string_view plan);

  // `options` is JSON {k: 5, threshold: 0, mode: exact | fast, trace: false, activations: false},
  // all optional. Unsupported when a plan is needed.
  [[nodiscard]] Result<ClassifyJob> begin_classify(std::string_view options) const;

 private:
  model::Model model_;
  std::shared_ptr<const infer::CnnWeights> weights_;
  std::optional<model::CnnPlan> plan_;
};

}  // namespace ambry::api
