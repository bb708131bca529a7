// The weights of a graph as the tensors of a source model.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "convert/checkpoint_quantization/decoded_file.h"
#include "convert/checkpoint_quantization/placed_matrices.h"
#include "convert/onnx/weights/linear.h"
#include "convert/plan/source_model.h"

namespace ambry::convert::onnx {

// Where codes stay as they are: nowhere, in EMBD's integer weights, or in AMB's quantized types.
enum class KeptCodes : uint8_t { None, Embd, Amb };

class WeightTensors {
 public:
  // `sources` must outlive this object.
  WeightTensors(const SourceFiles& sources, KeptCodes kept);

  // Adds a weight under the name that the model's library has for it. Codes of heads are not kept:
  // their matrices are small. BadValue for a name that is there already.
  [[nodiscard]] Result<void> add(const std::string& name, OnnxWeight weight, bool is_head = false);
  // The source with all weights, and behind them the scales and zero points of codes in EMBD. Warns
  // once for each reason for which codes are not kept.
  [[nodiscard]] SourceModel finish();

 private:
  [[nodiscard]] Result<void> add_matrix(const std::string& name, PackedMatrix matrix, bool is_head);

  KeptCodes kept_;
  std::set<std::string, std::less<>> names_;
  SourceModel source_;
  std::shared_ptr<DecodedFile> decoded_;
};

}  // namespace ambry::convert::onnx
