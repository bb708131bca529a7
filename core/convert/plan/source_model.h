// A source model as its parser reads it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/plan/plan.h"
#include "convert/plan/source_files.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::convert {

struct SourceModel {
  model::Model model;
  std::vector<uint32_t> files;  // file of each tensor; empty: all are in the main file
  // For integers, by the tensor's name: each scale applies to the same number of consecutive
  // elements.
  std::map<std::string, Input, std::less<>> scales;
  // By the tensor's name, if its elements are not stored row after row.
  std::map<std::string, std::vector<uint64_t>, std::less<>> strides;
  // By the tensor's name, if it is several tensors of the file, whose rows follow each other.
  std::map<std::string, std::vector<Input>, std::less<>> joined;
  // The values of f32 tensors that come from no tensor of a file, by name.
  std::map<std::string, std::vector<float>, std::less<>> given;
  // The file of matrices that a library has quantized. May be null.
  std::shared_ptr<const DecodedFile> decoded;
  std::vector<Error> warnings;

  // `tensor` must be one of model.tensors.
  [[nodiscard]] Input input(const model::TensorEntry& tensor) const;
  // All parts of a joined tensor, or the one input of another; `tensor` must be one of
  // model.tensors.
  [[nodiscard]] std::vector<Input> inputs(const model::TensorEntry& tensor) const;
};

// Takes the tensors for which `left_out` holds out of the source.
void remove_tensors(SourceModel& source,
                    const std::function<bool(const model::TensorEntry&)>& left_out);

// The model's tensor with this name, or nullptr.
[[nodiscard]] const model::TensorEntry* find_tensor(const model::Model& model,
                                                    std::string_view name);

// An error in the file of this number. Its path starts with the file's name.
[[nodiscard]] Failure in_source_file(Failure error, const SourceFiles& sources, uint32_t number);

// Reads one file with the parser of this format. Returns the first error that it found.
[[nodiscard]] Result<SourceModel> read_file(const io::Source& file, std::string_view format);

// Reads the source, which may be several files, with the parser of this format. Returns the first
// error that it found. On NeedBytes, load the bytes and call it again.
[[nodiscard]] Result<SourceModel> read_source(const SourceFiles& sources, std::string_view format);

}  // namespace ambry::convert
