#include "formats/onnx/external_data.h"

#include <algorithm>

#include "base/checked.h"
#include "formats/onnx/tensor_extent.h"

namespace ambry::formats::onnx {
namespace {

// More would say nothing new.
constexpr size_t kMaxProblems = 64;

// A file that is not there, and the tensors in it.
struct MissingFile {
  std::string_view location;
  const Tensor* first = nullptr;
  std::string path;  // of the first tensor
  uint64_t tensors = 0;
};

// One problem for all tensors of a file.
void add_missing(std::vector<MissingFile>& missing, std::string_view location, const Tensor& tensor,
                 std::string_view path) {
  auto known = std::ranges::find(missing, location, &MissingFile::location);
  if (known == missing.end()) {
    if (missing.size() >= kMaxProblems) return;
    known = missing.insert(known, {location, &tensor, std::string(path), 0});
  }
  ++known->tensors;
}

void report_missing(const OnnxModel& model, const std::vector<MissingFile>& missing,
                    io::Diagnostics& diagnostics) {
  for (const auto& [location, first, path, tensors] : missing) {
    const std::string more = tensors > 1 ? concat({"\" and ", tensors - 1, " more"}) : "\"";
    diagnostics.error(error_at(ErrorCode::NotFound, first->byte_offset, {path, ".external_data"},
                               {"the values of \"", model.names[first->name], more, " are in \"",
                                location, "\", which was not given with the model"}));
  }
}

void check_one(const OnnxModel& model, const Tensor& tensor, std::string_view path,
               const std::vector<FileBeside>& files, std::vector<MissingFile>& missing,
               io::Diagnostics& diagnostics) {
  if (tensor.place != Tensor::Place::External || diagnostics.errors.size() >= kMaxProblems) return;
  const std::string_view location = model.names[tensor.location];
  if (!stays_inside(location)) return;  // check_model() says so
  const auto file = std::ranges::find(files, plain_path(location), &FileBeside::name);
  if (file == files.end()) {
    add_missing(missing, location, tensor, path);
    return;
  }
  const auto count = element_count(model, tensor);
  const auto needed = count ? raw_bytes(tensor.type, *count) : std::nullopt;
  const uint64_t bytes = tensor.data_bytes == kToTheEnd ? needed.value_or(0) : tensor.data_bytes;
  const auto end = checked_add(tensor.data_offset, bytes);
  if (end && *end <= file->bytes) return;
  diagnostics.error(
      error_at(ErrorCode::Truncated, tensor.byte_offset, {path, ".external_data"},
               {"\"", model.names[tensor.name], "\" has ", bytes, " bytes from byte ",
                tensor.data_offset, " on in \"", location, "\", which has ", file->bytes}));
}

}  // namespace

bool stays_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\\') != std::string_view::npos ||
      path.find(':') != std::string_view::npos || path.find('\0') != std::string_view::npos) {
    return false;
  }
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    if (path.substr(at, end - at) == "..") return false;
    at = end + 1;
  }
  return !plain_path(path).empty();
}

std::string plain_path(std::string_view path) {
  std::string plain;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view step = path.substr(at, end - at);
    at = end + 1;
    if (step.empty() || step == ".") continue;
    if (!plain.empty()) plain += '/';
    plain += step;
  }
  return plain;
}

void check_external(const OnnxModel& model, const std::vector<FileBeside>& files,
                    io::Diagnostics& diagnostics) {
  std::vector<MissingFile> missing;
  for (size_t i = 0; i < model.graph.initializers.size(); ++i) {
    check_one(model, model.graph.initializers[i], concat({"graph.initializer[", uint64_t{i}, "]"}),
              files, missing, diagnostics);
  }
  for (const Tensor& tensor : model.tensors) {
    check_one(model, tensor, "attribute.t", files, missing, diagnostics);
  }
  report_missing(model, missing, diagnostics);
}

}  // namespace ambry::formats::onnx
