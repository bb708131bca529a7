// The file itself and its functions.
#include <algorithm>
#include <utility>

#include "formats/onnx/message_reader.h"
#include "formats/onnx/onnx_parse.h"

namespace ambry::formats::onnx {

using Wire = WireField::Wire;

Result<NameId> MessageReader::read_name(const WireField& field, const char* name) {
  AMBRY_TRY(const std::string_view text, cursor_.text(field, name));
  if (model_.names.has_room_for(text)) return model_.names.add(text);
  return cursor_.fail(ErrorCode::LimitExceeded, field.offset, name, "too many names");
}

Result<int64_t> MessageReader::read_int(const WireField& field, const char* name) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(field, Wire::Varint, name));
  return static_cast<int64_t>(field.value);
}

Result<void> MessageReader::read_ints(const WireField& field, const char* name, size_t most,
                                      std::vector<int64_t>& list) {
  std::string packed;
  AMBRY_RETURN_IF_ERROR(append_packed(field, name, 0, packed));
  if (count_numbers(packed) > most - list.size()) {
    return cursor_.fail(ErrorCode::LimitExceeded, field.offset, name,
                        {"more than ", uint64_t{most}, " numbers"});
  }
  size_t at = 0;
  while (at < packed.size()) {
    uint64_t value = 0;
    for (int shift = 0; at < packed.size(); shift += 7) {
      const auto byte = static_cast<uint8_t>(packed[at++]);
      value |= uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) break;
    }
    list.push_back(static_cast<int64_t>(value));
  }
  return {};
}

Result<void> MessageReader::append_packed(const WireField& field, const char* name, uint32_t size,
                                          std::string& values) {
  if (field.wire == Wire::Bytes) {
    if (size != 0 && field.size() % size != 0) {
      return cursor_.fail(ErrorCode::BadValue, field.offset, name,
                          {field.size(), " bytes are no whole numbers of ", uint64_t{size}});
    }
    AMBRY_TRY(const Bytes bytes, cursor_.content(field, name));
    if (size == 0) {
      uint64_t run = 0;
      for (const uint8_t byte : bytes) {
        run = byte < 0x80 ? 0 : run + 1;
        if (run >= 10) break;
      }
      if (run != 0) {
        return cursor_.fail(ErrorCode::BadValue, field.offset, name,
                            "a number does not end, or has more than 10 bytes");
      }
    }
    values += as_text(bytes);
    return {};
  }
  const Wire single = size == 0 ? Wire::Varint : size == 4 ? Wire::Fixed32 : Wire::Fixed64;
  AMBRY_RETURN_IF_ERROR(cursor_.expect(field, single, name));
  if (size == 0) append_number(values, field.value);
  for (uint32_t i = 0; i < size; ++i) values += static_cast<char>(field.value >> (8 * i));
  return {};
}

Result<NumberList> MessageReader::pack(const std::vector<int64_t>& list, uint64_t offset) {
  if (model_.numbers.size() > UINT32_MAX - list.size() * 10) {
    return cursor_.fail(ErrorCode::LimitExceeded, offset, "", "too many numbers");
  }
  const NumberList packed{static_cast<uint32_t>(model_.numbers.size()),
                          static_cast<uint32_t>(list.size())};
  for (const int64_t value : list) append_number(model_.numbers, static_cast<uint64_t>(value));
  return packed;
}

Result<Property> MessageReader::read_entry(const WireField& message, const char* key,
                                           const char* value) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, key));
  Property entry;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == entry_field::kKey) {
      AMBRY_TRY(entry.key, read_name(field, key));
    } else if (field.number == entry_field::kValue) {
      AMBRY_TRY(entry.value, read_name(field, value));
    }
  }
  return entry;
}

Result<void> MessageReader::read_opset(const WireField& message, std::vector<OpsetImport>& opsets) {
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "opset_import"));
  cursor_.enter("opset_import", opsets.size());
  if (opsets.size() == kMaxOpsets) {
    return cursor_.fail(ErrorCode::LimitExceeded, message.offset, "",
                        {"more than ", kMaxOpsets, " domains"});
  }
  OpsetImport opset{.byte_offset = message.offset};
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == opset_field::kDomain) {
      AMBRY_TRY(opset.domain, read_name(field, "domain"));
    } else if (field.number == opset_field::kVersion) {
      AMBRY_TRY(opset.version, read_int(field, "version"));
    }
  }
  if (model_.names[opset.domain] == "ai.onnx") opset.domain = kNoName;
  opsets.push_back(opset);
  cursor_.leave();
  return {};
}

Result<void> MessageReader::read_model_field(const WireField& field) {
  namespace f = model_field;
  const auto name = [&](NameId& to, const char* what) -> Result<void> {
    AMBRY_TRY(to, read_name(field, what));
    return {};
  };
  const auto number = [&](int64_t& to, const char* what) -> Result<void> {
    AMBRY_TRY(to, read_int(field, what));
    return {};
  };
  switch (field.number) {
    case f::kIrVersion:
      return number(model_.ir_version, "ir_version");
    case f::kProducer:
      return name(model_.producer, "producer_name");
    case f::kProducerVersion:
      return name(model_.producer_version, "producer_version");
    case f::kDomain:
      return name(model_.domain, "domain");
    case f::kModelVersion:
      return number(model_.model_version, "model_version");
    case f::kGraph: {
      cursor_.enter("graph");
      AMBRY_RETURN_IF_ERROR(read_graph(field, model_.graph));
      cursor_.leave();
      return {};
    }
    case f::kOpset:
      return read_opset(field, model_.opsets);
    case f::kMetadata: {
      cursor_.enter("metadata_props", model_.metadata.size());
      AMBRY_TRY(const Property entry, read_entry(field, "key", "value"));
      model_.metadata.push_back(entry);
      cursor_.leave();
      return {};
    }
    case f::kTraining:
      return cursor_.fail(ErrorCode::Unsupported, field.offset, "training_info",
                          "graphs for training are not supported: export the model for inference");
    case f::kFunction:
      return read_function(field);
    default:
      return {};
  }
}

Result<OnnxModel> MessageReader::read() {
  WireField field;
  for (uint64_t at = 0; at < end_;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, end_, field));
    AMBRY_RETURN_IF_ERROR(read_model_field(field));
  }
  if (model_.graph.byte_offset == kNoOffset) {
    return cursor_.fail(ErrorCode::Truncated, end_, "graph",
                        "the model has no graph: the file is cut off, or no ONNX model");
  }
  if (model_.opsets.empty()) {
    return cursor_.fail(ErrorCode::Truncated, end_, "opset_import",
                        "the model states no version of its operators: the file is cut off, "
                        "perhaps");
  }
  return std::move(model_);
}

Result<void> MessageReader::read_function(const WireField& message) {
  namespace f = function_field;
  AMBRY_RETURN_IF_ERROR(cursor_.expect(message, Wire::Bytes, "functions"));
  cursor_.enter("functions", model_.functions.size());
  if (model_.functions.size() == kMaxFunctions) {
    return cursor_.fail(ErrorCode::LimitExceeded, message.offset, "",
                        {"more than ", kMaxFunctions, " functions"});
  }
  Function function;
  Graph& body = function.body;
  body.byte_offset = message.offset;
  WireField field;
  for (uint64_t at = message.begin; at < message.end;) {
    AMBRY_RETURN_IF_ERROR(cursor_.next(at, message.end, field));
    if (field.number == f::kName) {
      AMBRY_TRY(function.name.op_type, read_name(field, "name"));
    } else if (field.number == f::kInput || field.number == f::kOutput) {
      ValueInfo info{.byte_offset = field.offset};
      AMBRY_TRY(info.name, read_name(field, "input or output"));
      (field.number == f::kInput ? body.inputs : body.outputs).push_back(info);
    } else if (field.number == f::kAttribute) {
      AMBRY_TRY(const NameId attribute, read_name(field, "attribute"));
      function.attributes.push_back(attribute);
    } else if (field.number == f::kNode) {
      AMBRY_RETURN_IF_ERROR(read_node(field, body));
    } else if (field.number == f::kOpset) {
      AMBRY_RETURN_IF_ERROR(read_opset(field, function.opsets));
    } else if (field.number == f::kDomain) {
      AMBRY_TRY(function.name.domain, read_name(field, "domain"));
    } else if (field.number == f::kAttributeProto) {
      AMBRY_RETURN_IF_ERROR(read_attribute(field, function.defaults));
    } else if (field.number == f::kValueInfo) {
      AMBRY_RETURN_IF_ERROR(read_value_info(field, body, body.value_infos));
    } else if (field.number == f::kOverload) {
      AMBRY_TRY(function.name.overload, read_name(field, "overload"));
    }
  }
  if (model_.names[function.name.domain] == "ai.onnx") function.name.domain = kNoName;
  body.name = function.name.op_type;
  model_.functions.push_back(std::move(function));
  cursor_.leave();
  return {};
}

Result<OnnxModel> read_model(const io::Source& source) { return MessageReader(source).read(); }

}  // namespace ambry::formats::onnx
