// Looks at every number of a file's tensors as they pass by, one tensor after another: what no
// model should hold becomes a problem, the rest statistics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/files/validate/tensor_statistics.h"
#include "api/files/validate/value_stream.h"
#include "base/bytes.h"
#include "io/diagnostics.h"
#include "model/model.h"

namespace ambry::api {

class ValueCheck {
 public:
  // `model` and `diagnostics` must outlive the check.
  ValueCheck(const model::Model& model, io::Diagnostics& diagnostics);

  // The bytes of a tensor (by index) from `offset` within it on; a tensor's come in order.
  void pass(size_t tensor, uint64_t offset, Bytes bytes);
  // JSON array of TensorStatistics in the order of the table.
  [[nodiscard]] std::string statistics() const;

 private:
  void begin(const model::TensorEntry& tensor);
  void end(const model::TensorEntry& tensor);
  // As an error; as a warning where the model says that the file is of use all the same.
  void report(const model::TensorEntry& tensor, uint64_t element, const Text& message);
  void report_not_finite(const model::TensorEntry& tensor);
  void report_rows(const model::TensorEntry& tensor);
  // Where the element lies, or the tensor where elements share bytes.
  [[nodiscard]] static uint64_t offset_of(const model::TensorEntry& tensor, uint64_t element);

  const model::Model& model_;
  io::Diagnostics& diagnostics_;
  std::optional<ValueStream> stream_;  // of the tensor that passes by; none if not decodable
  std::optional<TensorStatistics> sums_;
  std::vector<std::string> documents_;  // one a tensor; as text, a tenth of the tree's memory
};

}  // namespace ambry::api
