// An ONNX file with what makes and what holds each value of its main graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "convert/plan/source_files.h"
#include "formats/onnx/onnx_model.h"

namespace ambry::convert::onnx {

using formats::onnx::NameId;

class OnnxFile {
 public:
  // All must outlive this object. `number` is that of the file in `sources`.
  OnnxFile(const formats::onnx::OnnxModel& model, const SourceFiles& sources, uint32_t number = 0);

  [[nodiscard]] const formats::onnx::OnnxModel& model() const { return model_; }
  [[nodiscard]] const formats::onnx::Graph& graph() const { return model_.graph; }
  [[nodiscard]] const SourceFiles& sources() const { return sources_; }
  [[nodiscard]] uint32_t number() const { return number_; }

  // The node whose output this value is, or nullptr.
  [[nodiscard]] const formats::onnx::Node* producer(NameId value) const;
  // The tensor that holds this value: an initializer, or that of a Constant. nullptr for others.
  [[nodiscard]] const formats::onnx::Tensor* constant(NameId value) const;
  // The input of this number; kNoName if it is left out.
  [[nodiscard]] NameId input(const formats::onnx::Node& node, size_t number) const;
  [[nodiscard]] NameId output(const formats::onnx::Node& node, size_t number = 0) const;

  [[nodiscard]] int64_t int_of(const formats::onnx::Node& node, std::string_view attribute,
                               int64_t without) const;
  [[nodiscard]] float float_of(const formats::onnx::Node& node, std::string_view attribute,
                               float without) const;
  // Nothing where the node does not have it.
  [[nodiscard]] std::optional<std::vector<int64_t>> ints_of(const formats::onnx::Node& node,
                                                            std::string_view attribute) const;
  [[nodiscard]] std::string_view text_of(const formats::onnx::Node& node,
                                         std::string_view attribute) const;

  // For errors: the tensor's name, or that of the value that it is.
  [[nodiscard]] std::string place_of(const formats::onnx::Tensor& tensor) const;
  // Unsupported, with the node's name, operator and place.
  [[nodiscard]] Failure refuse(const formats::onnx::Node& node, const Text& why) const;

 private:
  const formats::onnx::OnnxModel& model_;
  const SourceFiles& sources_;
  uint32_t number_;
  std::vector<uint32_t> producers_;     // by NameId; 0: none, else the number + 1
  std::vector<uint32_t> initializers_;  // likewise
};

}  // namespace ambry::convert::onnx
