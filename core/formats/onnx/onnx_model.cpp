#include "formats/onnx/onnx_model.h"

#include <array>

#include "base/bytes.h"
#include "formats/onnx/onnx_layout.h"

namespace ambry::formats::onnx {
namespace {

struct TypeFacts {
  std::string_view name;
  uint8_t bits;
};
// By DataType.
constexpr auto kTypeFacts = std::to_array<TypeFacts>({{"", 0},
                                                      {"float", 32},
                                                      {"uint8", 8},
                                                      {"int8", 8},
                                                      {"uint16", 16},
                                                      {"int16", 16},
                                                      {"int32", 32},
                                                      {"int64", 64},
                                                      {"string", 0},
                                                      {"bool", 8},
                                                      {"float16", 16},
                                                      {"double", 64},
                                                      {"uint32", 32},
                                                      {"uint64", 64},
                                                      {"complex64", 64},
                                                      {"complex128", 128},
                                                      {"bfloat16", 16},
                                                      {"float8e4m3fn", 8},
                                                      {"float8e4m3fnuz", 8},
                                                      {"float8e5m2", 8},
                                                      {"float8e5m2fnuz", 8},
                                                      {"uint4", 4},
                                                      {"int4", 4},
                                                      {"float4e2m1", 4},
                                                      {"float8e8m0", 8},
                                                      {"uint2", 2},
                                                      {"int2", 2}});
static_assert(kTypeFacts.size() == kDataTypes);

uint64_t take_number(std::string_view bytes, size_t& at) {
  uint64_t value = 0;
  for (int shift = 0; at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[at++]);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  return value;
}

size_t begin_of(const Attribute& attribute) { return attribute.bits & UINT32_MAX; }
size_t count_of(const Attribute& attribute) {
  return attribute.is_reference ? 0 : static_cast<size_t>(attribute.bits >> 32U);
}

}  // namespace

std::string_view data_type_name(DataType type) {
  return kTypeFacts[static_cast<size_t>(type)].name;
}
uint32_t data_type_bits(DataType type) { return kTypeFacts[static_cast<size_t>(type)].bits; }

int64_t OnnxModel::opset(std::string_view of_domain) const {
  for (const OpsetImport& each : opsets) {
    if (names[each.domain] == of_domain) return each.version;
  }
  return 0;
}

const Attribute* OnnxModel::find(const Graph& owner, const Node& node,
                                 std::string_view attribute) const {
  for (const Attribute& each : owner.attributes_of(node)) {
    if (names[each.name] == attribute) return &each;
  }
  return nullptr;
}

std::string_view OnnxModel::text(const Attribute& attribute) const {
  if (attribute.type != AttributeType::String) return {};
  return std::string_view(values).substr(begin_of(attribute), count_of(attribute));
}

std::vector<int64_t> OnnxModel::unpack(NumberList list) const {
  std::vector<int64_t> unpacked;
  unpacked.reserve(list.count);
  size_t at = list.begin;
  for (uint32_t i = 0; i < list.count; ++i) {
    unpacked.push_back(static_cast<int64_t>(take_number(numbers, at)));
  }
  return unpacked;
}

std::vector<int64_t> OnnxModel::ints(const Attribute& attribute) const {
  if (attribute.type != AttributeType::Ints) return {};
  return unpack(
      {static_cast<uint32_t>(begin_of(attribute)), static_cast<uint32_t>(count_of(attribute))});
}

std::vector<float> OnnxModel::floats(const Attribute& attribute) const {
  if (attribute.type != AttributeType::Floats) return {};
  std::vector<float> list(count_of(attribute));
  const uint8_t* const bytes = as_bytes(values).data() + begin_of(attribute);
  for (size_t i = 0; i < list.size(); ++i) list[i] = load_le<float>(bytes + i * sizeof(float));
  return list;
}

std::vector<std::string_view> OnnxModel::texts(const Attribute& attribute) const {
  std::vector<std::string_view> list;
  if (attribute.type != AttributeType::Strings) return list;
  size_t at = begin_of(attribute);
  for (size_t i = 0; i < count_of(attribute); ++i) {
    const auto size = static_cast<size_t>(take_number(values, at));
    list.push_back(std::string_view(values).substr(at, size));
    at += size;
  }
  return list;
}

std::span<const Tensor> OnnxModel::tensors_of(const Attribute& attribute) const {
  if (attribute.type != AttributeType::Tensor && attribute.type != AttributeType::Tensors &&
      attribute.type != AttributeType::SparseTensor &&
      attribute.type != AttributeType::SparseTensors) {
    return {};
  }
  return std::span(tensors).subspan(begin_of(attribute), count_of(attribute));
}

const Tensor* OnnxModel::tensor(const Attribute& attribute) const {
  const auto all = tensors_of(attribute);
  return attribute.type == AttributeType::Tensor && !all.empty() ? all.data() : nullptr;
}

std::span<const Graph> OnnxModel::graphs_of(const Attribute& attribute) const {
  if (attribute.type != AttributeType::Graph && attribute.type != AttributeType::Graphs) return {};
  return std::span(graphs).subspan(begin_of(attribute), count_of(attribute));
}

const Graph* OnnxModel::graph_of(const Attribute& attribute) const {
  const auto all = graphs_of(attribute);
  return all.empty() ? nullptr : all.data();
}

}  // namespace ambry::formats::onnx
