// Reads PyTorch's checkpoints: the tensors of a state dict, wherever it lies in nested dicts, at
// their places in the archive. No code of the file is ever run (pickle.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/diagnostics.h"
#include "io/source.h"
#include "model/model.h"

namespace ambry::formats::pytorch {

[[nodiscard]] Result<bool> probe(const io::Source& source);

// The axes of a tensor, outermost first as its elements are stored: {1, 0} of a matrix stored
// column after column.
using StoredAxes = std::vector<uint8_t>;

struct StateDict {
  model::Model model;
  // By name, of tensors that are not stored row after row.
  std::map<std::string, StoredAxes, std::less<>> stored_axes;
};

// Names are the keys on the way to a tensor, joined by dots; numbers and texts beside the tensors
// become metadata under such names.
[[nodiscard]] Result<StateDict> parse_state_dict(const io::Source& source,
                                                 io::Diagnostics& diagnostics);

// For who does not care about the order of elements.
[[nodiscard]] Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                                         const model::ReadOptions& options = {});

void check(const model::Model& model, io::Diagnostics& diagnostics);

}  // namespace ambry::formats::pytorch
