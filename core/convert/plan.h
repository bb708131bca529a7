// What a conversion will write: the target's facts, and for each of its tensors where it comes
// from.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "convert/conversion.h"
#include "formats/huggingface/side_files.h"
#include "io/source.h"
#include "model/file_layout.h"
#include "model/model.h"

namespace ambry::convert {

// How a tensor of the target is made.
enum class Making : uint8_t {
  Copy,      // the same bytes
  Convert,   // another element type, dequantised and turned as needed
  Quantize,  // int8, one scale a row
  Scales,    // the scales of the Quantize before it
};

struct Output {
  Making making = Making::Copy;
  model::TensorEntry from;
  // Convert of integers: real = (q - zero_point) * scale.
  std::optional<model::TensorEntry> scale;
  std::optional<model::TensorEntry> zero_point;
  bool transpose = false;  // stored as [in, out], written as [out, in]
};

struct Plan {
  model::Model target;
  std::vector<Output> outputs;  // one for each tensor of the target
  model::FileLayout layout;     // of the target
  std::vector<Error> warnings;
};

// Of a source in the target's format that nothing is to be changed of, a rewrite; else a conversion
// to EMBD. Restartable on NeedBytes.
[[nodiscard]] Result<Plan> make_plan(const io::Source& main,
                                     const formats::huggingface::SideFiles& files,
                                     const Options& options);

}  // namespace ambry::convert
