// What `inspect` says about an ONNX file; see README.md#in-the-model.
#pragma once

#include <cstdint>

#include "formats/onnx/onnx_model.h"
#include "io/json/json.h"
#include "model/file/model.h"

namespace ambry::formats::onnx {

// Lists of a report have at most this many entries. `operators` has all.
inline constexpr size_t kMaxListed = 4'096;

[[nodiscard]] model::Model report_of(const OnnxModel& model, uint64_t file_bytes);

// [{"name", "dtype", "shape": [4, "batch", null]}], the first kMaxListed of them.
[[nodiscard]] io::Json values_document(const OnnxModel& model, const Graph& graph,
                                       const std::vector<ValueInfo>& values);
// [{"domain", "version"}].
[[nodiscard]] io::Json opsets_document(const OnnxModel& model);
// [{"name", "domain", "count"}] over all graphs and functions, the most frequent first.
[[nodiscard]] io::Json operators_document(const OnnxModel& model);
// [{"name", "domain", "nodes"}].
[[nodiscard]] io::Json functions_document(const OnnxModel& model);

}  // namespace ambry::formats::onnx
