// The weights of a sentence-transformers directory's Dense modules, each in a file of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "convert/plan/source_model.h"
#include "model/encoder/head/dense_layers.h"

namespace ambry::convert {

// The number of each module's file in `sources`, by the modules' folders. NotFound for a module
// without weights.
[[nodiscard]] Result<std::vector<uint32_t>> find_dense_files(
    const SourceFiles& sources, const std::vector<std::string>& folders);

// Adds the tensors of `numbers`, the files of the modules, as `dense.<i>.weight` and
// `dense.<i>.bias`. NotFound for a tensor that is missing, Mismatch for another shape than
// config.json states, Unsupported for any other tensor. Paths start with the file's name. On
// NeedBytes, load the bytes and read the whole source again.
[[nodiscard]] Result<void> add_dense_weights(const SourceFiles& sources,
                                             const std::vector<uint32_t>& numbers,
                                             const std::vector<model::DenseConfig>& modules,
                                             SourceModel& source);

}  // namespace ambry::convert
