// Checks every value of a file's tensors while they stream by, one tensor after another. Values
// that no model should have become problems. The others give statistics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/files/validate/tensor_statistics.h"
#include "api/files/validate/value_stream.h"
#include "base/bytes.h"
#include "io/diagnostics.h"
#include "model/file/model.h"

namespace ambry::api {

class ValueCheck {
 public:
  // `model` and `diagnostics` must outlive the check.
  ValueCheck(const model::Model& model, io::Diagnostics& diagnostics);

  // The next bytes of a tensor, which start at `offset` in it. A tensor's bytes come in order.
  void pass(size_t tensor, uint64_t offset, Bytes bytes);
  // JSON array of TensorStatistics in the order of the table.
  [[nodiscard]] std::string statistics() const;

 private:
  void begin(const model::TensorEntry& tensor);
  void end(const model::TensorEntry& tensor);
  // Reports an error, or tolerates it if the model says that the file can still be used.
  void report(const model::TensorEntry& tensor, uint64_t element, const Text& message);
  void report_not_finite(const model::TensorEntry& tensor);
  void report_rows(const model::TensorEntry& tensor);
  // The offset of the element, or of the tensor if elements share bytes.
  [[nodiscard]] static uint64_t offset_of(const model::TensorEntry& tensor, uint64_t element);

  const model::Model& model_;
  io::Diagnostics& diagnostics_;
  std::optional<ValueStream> stream_;  // for the current tensor; none if it needs no decoding
  std::optional<TensorStatistics> sums_;
  // One for each tensor. Text takes a tenth of a tree's memory.
  std::vector<std::string> documents_;
};

}  // namespace ambry::api
