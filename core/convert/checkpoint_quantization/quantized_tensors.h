// The tensors of a quantized checkpoint, from which a method takes its matrices.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/checkpoint_quantization/decoded_file.h"
#include "convert/plan/source_model.h"
#include "formats/huggingface/config/fields/stated_quantization.h"
#include "formats/huggingface/side_files/file_values.h"

namespace ambry::convert {

class QuantizedTensors {
 public:
  // The arguments must outlive this object.
  QuantizedTensors(const SourceFiles& sources,
                   const formats::huggingface::StatedQuantization& stated, SourceModel& source);

  // The settings in config.json.
  [[nodiscard]] const formats::huggingface::FileValues& settings() const { return settings_; }
  [[nodiscard]] const SourceFiles& sources() const { return sources_; }

  // The names before this ending of all tensors that have it, and for which `wanted` holds.
  [[nodiscard]] std::vector<std::string> modules(
      std::string_view ending,
      const std::function<bool(const model::TensorEntry&)>& wanted = {}) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  [[nodiscard]] const model::TensorEntry* find(std::string_view name) const;
  // Takes a tensor out of the source. NotFound, at the tensor `of`, where it is missing; `what` is
  // said of it.
  [[nodiscard]] Result<Input> take(const std::string& name, std::string_view of,
                                   std::string_view what);
  // Takes it if it is there.
  [[nodiscard]] std::optional<Input> take_if_there(const std::string& name);
  // Leaves out all tensors with this ending, which change no weight.
  void leave_out(std::string_view ending);

  // Adds a matrix in the place of its code tensor, as its own type where `keeps_codes`.
  [[nodiscard]] Result<void> add(bool keeps_codes, PackedMatrix matrix);
  // Puts the matrices into the source in the place of the tensors that were taken. NotFound where
  // there is none.
  [[nodiscard]] Result<void> finish();

 private:
  const SourceFiles& sources_;
  formats::huggingface::FileValues settings_;
  std::string method_;
  SourceModel& source_;
  std::map<std::string, size_t, std::less<>> index_;
  std::vector<uint8_t> taken_;                    // of the source's tensors
  std::map<size_t, model::TensorEntry> entries_;  // by the place of the codes
  std::shared_ptr<DecodedFile> file_;
  uint64_t end_ = 0;  // of the file
};

// Mismatch unless the tensor has this shape; `why` ends the message.
[[nodiscard]] Result<void> expect_shape(const Input& input, const tensor::Shape& shape,
                                        const Text& why);
// Unsupported unless the tensor has one of these types.
[[nodiscard]] Result<void> expect_type(const Input& input,
                                       std::initializer_list<tensor::DType> types);
// Unsupported, at the key, unless the bits are among these.
[[nodiscard]] Result<void> expect_bits(const QuantizedTensors& tensors, uint32_t bits,
                                       std::initializer_list<uint32_t> known);
// The types of scales and biases.
[[nodiscard]] Result<void> expect_floats(const Input& input);

}  // namespace ambry::convert
