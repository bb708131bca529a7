#include "formats/tinyruntime/tinyruntime_tables.h"

#include "base/checked.h"
#include "model/file/tensor_table.h"

namespace ambry::formats::tinyruntime {

Header read_header(CnnVariant variant, Bytes bytes) {
  Header header{};
  for (size_t i = 0; i < header_words(variant); ++i) {
    header[i] = load_le<int32_t>(bytes.data() + i * kWordBytes);
  }
  return header;
}

TablePlaces place_tables(CnnVariant variant, const Header& header) {
  // Counts of 31 bits times entries of some bytes stay far below 64 bits.
  TablePlaces places;
  uint64_t at = header_bytes(variant);
  for (const CnnKind kind : model::kCnnKinds) {
    places.layers[static_cast<size_t>(kind)] = at;
    at += static_cast<uint64_t>(header[count_field(kind)]) * entry_bytes(variant, kind);
  }
  places.activations = at;
  places.end = at + static_cast<uint64_t>(header[kActivations]) * kActivationBytes;
  return places;
}

Entry read_entry(CnnVariant variant, CnnKind kind, Bytes bytes) {
  Entry entry;
  const auto fields = model::cnn_fields(variant, kind);
  for (size_t i = 0; i < fields.size(); ++i) {
    const uint8_t* word = bytes.data() + field_at(variant, kind, i);
    if (fields[i].real != nullptr) {
      entry.layer.*fields[i].real = load_le<float>(word);
    } else {
      entry.layer.*fields[i].integer = load_le<int32_t>(word);
    }
  }
  if (kind == CnnKind::BatchNorm) entry.layer.in = entry.layer.out;
  if (variant == CnnVariant::Dq8) entry.layer.bias = entry.layer.bias_group > 0 ? 1 : 0;
  for (size_t i = 0; i < n_offsets(variant, kind); ++i) {
    entry.offsets[i] = load_le<int32_t>(bytes.data() + offset_at(kind, i));
  }
  return entry;
}

model::CnnActivation read_activation(Bytes bytes) {
  return {load_le<float>(bytes.data()), load_le<int32_t>(bytes.data() + kWordBytes)};
}

std::optional<Position> after(Position position, const std::vector<model::CnnTensor>& tensors) {
  for (const model::CnnTensor& tensor : tensors) {
    const auto bytes = model::byte_size(tensor.shape, tensor.dtype);
    if (!bytes) return std::nullopt;
    uint64_t& section = tensor.quantized ? position.quantized_bytes : position.words;
    const auto end = checked_add(section, tensor.quantized ? *bytes : *bytes / kWordBytes);
    if (!end) return std::nullopt;
    section = *end;
  }
  return position;
}

}  // namespace ambry::formats::tinyruntime
