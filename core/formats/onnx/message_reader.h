// Reads the messages of an ONNX file into an OnnxModel. Messages of one field that occurs twice are
// merged, as Protocol Buffers demands.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/onnx/onnx_layout.h"
#include "formats/onnx/onnx_model.h"
#include "formats/onnx/wire_cursor.h"

namespace ambry::formats::onnx {

class MessageReader {
 public:
  explicit MessageReader(const io::Source& source) : cursor_(source), end_(source.size()) {}

  // The whole file.
  Result<OnnxModel> read();

 private:
  // A tensor whose message is not read to its end.
  struct TensorParts {
    Tensor tensor;
    std::vector<int64_t> dims;
    std::string values;  // those that are not one range of the file
    int64_t data_location = 0;
    NameId location = kNoName;
    uint64_t external_offset = 0;
    uint64_t external_bytes = kToTheEnd;
  };
  struct SparseParts {
    TensorParts values;
    TensorParts indices;
    std::vector<int64_t> dims;
  };
  struct AttributeParts;

  Result<void> read_model_field(const WireField& field);
  Result<void> read_opset(const WireField& message, std::vector<OpsetImport>& opsets);
  Result<Property> read_entry(const WireField& message, const char* key, const char* value);

  Result<void> read_function(const WireField& message);
  Result<void> read_graph(const WireField& message, Graph& graph);
  Result<void> read_annotation(const WireField& message, Graph& graph);
  Result<void> reserve_nodes(const WireField& first, uint64_t end, Graph& graph);

  Result<void> read_node(const WireField& message, Graph& graph);
  Result<uint16_t> number_of(Operator op, uint64_t offset);
  Result<void> read_attribute(const WireField& message, std::vector<Attribute>& attributes);
  Result<void> read_attribute_value(const WireField& field, AttributeParts& parts);
  Result<void> settle_type(AttributeParts& parts);
  Result<void> finish_attribute(AttributeParts& parts);
  Result<void> keep_tensor(TensorParts& parts);

  Result<void> read_tensor(const WireField& message, TensorParts& parts);
  Result<void> read_tensor_field(const WireField& field, TensorParts& parts);
  Result<void> read_values(const WireField& field, TensorParts& parts);
  Result<void> read_external(const WireField& message, TensorParts& parts);
  Result<Tensor> finish_tensor(TensorParts& parts);
  Result<void> read_sparse(const WireField& message, SparseParts& parts);

  Result<void> read_value_info(const WireField& message, Graph& graph,
                               std::vector<ValueInfo>& list);
  Result<void> read_type(const WireField& message, uint32_t depth, Graph& graph, ValueInfo& info);
  Result<void> read_tensor_type(const WireField& message, Graph& graph, ValueInfo& info);
  Result<void> read_shape(const WireField& message, Graph& graph, ValueInfo& info);

  Result<NameId> read_name(const WireField& field, const char* name);
  Result<int64_t> read_int(const WireField& field, const char* name);
  // Adds the numbers of a repeated field, packed or not.
  Result<void> read_ints(const WireField& field, const char* name, size_t most,
                         std::vector<int64_t>& list);
  // Adds to `values` as a packed field has them. `size` is 0 for varints.
  Result<void> append_packed(const WireField& field, const char* name, uint32_t size,
                             std::string& values);
  Result<void> append_text(const WireField& field, const char* name, std::string& values);
  Result<NumberList> pack(const std::vector<int64_t>& list, uint64_t offset);

  WireCursor cursor_;
  uint64_t end_;
  OnnxModel model_;
  uint32_t graph_depth_ = 0;
};

// Appends a varint.
void append_number(std::string& numbers, uint64_t value);
// How many varints the bytes have; each ends with a byte below 128.
[[nodiscard]] uint64_t count_numbers(std::string_view numbers);

}  // namespace ambry::formats::onnx
