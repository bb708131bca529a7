#include "formats/onnx/onnx_check.h"

#include <algorithm>

#include "formats/onnx/check_parts.h"

namespace ambry::formats::onnx {
namespace {

constexpr int64_t kNewestIrVersion = 14;

void check_opsets(const OnnxModel& model, const std::vector<OpsetImport>& opsets,
                  const std::string& path, Problems& problems) {
  for (size_t i = 0; i < opsets.size() && !problems.is_full(); ++i) {
    const OpsetImport& opset = opsets[i];
    const std::string_view domain = model.names[opset.domain];
    const std::string place = concat({path, "opset_import[", uint64_t{i}, "]"});
    const auto first = std::ranges::find(opsets, opset.domain, &OpsetImport::domain);
    if (first->version != opset.version) {
      problems.error(ErrorCode::BadValue, opset.byte_offset, place,
                     {"the domain \"", domain, "\" is imported twice"});
    }
    if (opset.version < 1) {
      problems.error(ErrorCode::BadValue, opset.byte_offset, {place, ".version"},
                     "the version must be 1 or more");
    }
    const int64_t newest = newest_version(domain);
    if (newest != 0 && opset.version > newest) {
      problems.warn(ErrorCode::UnsupportedVersion, opset.byte_offset, {place, ".version"},
                    {"version ", static_cast<uint64_t>(opset.version), " of \"", domain,
                     "\" is newer than the newest that is known here, ",
                     static_cast<uint64_t>(newest), ": its operators are not checked"});
    }
  }
}

void check_metadata(const OnnxModel& model, Problems& problems) {
  std::vector<NameId> keys;
  keys.reserve(model.metadata.size());
  for (const Property& entry : model.metadata) keys.push_back(entry.key);
  std::ranges::sort(keys);
  const auto twice = std::ranges::adjacent_find(keys);
  if (twice == keys.end()) return;
  problems.tolerate(ErrorCode::BadValue, 0, "metadata_props",
                    {"the key \"", model.names[*twice], "\" occurs twice"});
}

}  // namespace

void Problems::error(ErrorCode code, uint64_t offset, const Text& path, const Text& message) {
  if (!is_full()) diagnostics_.error(error_at(code, offset, path, message));
  ++n_problems_;
}

void Problems::tolerate(ErrorCode code, uint64_t offset, const Text& path, const Text& message) {
  if (!is_full()) diagnostics_.tolerate(error_at(code, offset, path, message));
  ++n_problems_;
}

void Problems::warn(ErrorCode code, uint64_t offset, const Text& path, const Text& message) {
  if (!is_full()) diagnostics_.warn(error_at(code, offset, path, message));
  ++n_problems_;
}

void check_model(const OnnxModel& model, io::Diagnostics& diagnostics) {
  Problems problems(diagnostics);
  if (model.ir_version < 1 || model.ir_version > kNewestIrVersion) {
    problems.warn(
        ErrorCode::UnsupportedVersion, 0, "ir_version",
        {"version ", static_cast<uint64_t>(model.ir_version), " of the format is not known here"});
  }
  if (model.negative_extent != kNoOffset) {
    problems.tolerate(ErrorCode::BadValue, model.negative_extent, "shape.dim.dim_value",
                      "a negative extent in a type: it is taken as unknown");
  }
  check_opsets(model, model.opsets, "", problems);
  check_metadata(model, problems);
  check_functions(model, problems);
  NameCheck names(model, problems);
  CallCheck calls(model, model.opsets, problems);
  names.check(model.graph, calls, "graph");
  for (size_t i = 0; i < model.functions.size() && !problems.is_full(); ++i) {
    const Function& function = model.functions[i];
    const std::string path = concat({"functions[", uint64_t{i}, "]"});
    check_opsets(model, function.opsets, path + ".", problems);
    CallCheck inner(model, function.opsets, problems);
    names.check(function.body, inner, path, &function);
  }
}

}  // namespace ambry::formats::onnx
