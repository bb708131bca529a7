#include "infer/cnn/trace.h"

#include <algorithm>

#include "kernels/gemm/layout/packed_f32_matrix.h"

namespace ambry::infer {

using kernels::kPanelColumns;
using Kind = CnnTraceEntry::Kind;

CnnTraceEntry& CnnTrace::add(Kind kind, std::string_view op, const FeatureMap& map) {
  CnnTraceEntry entry;
  entry.kind = kind;
  entry.op = op;
  entry.shape = map.shape();
  entry.is_bytes = map.is_quantized();
  entry.form = map.quantization();
  entry.count = map.shape().count();
  entry.crc = io::crc32(map.bytes());
  entry.n_first = static_cast<size_t>(std::min<uint64_t>(entry.count, entry.first.size()));
  for (size_t i = 0; i < entry.n_first; ++i) {
    entry.first[i] = map.is_quantized() ? static_cast<float>(map.bytes()[i]) : map.floats()[i];
  }
  entries_.push_back(entry);
  return entries_.back();
}

void CnnTrace::on_value(uint32_t value, const FeatureMap& map) {
  open_ = false;
  if (value == 0) {
    add(Kind::Value, "input", map);
    return;
  }
  const model::CnnNode& node = network_.graph().nodes[value - 1];
  add(Kind::Value, model::cnn_op_form(node.op).name, map).index = node.index;
}

void CnnTrace::on_quantized(const FeatureMap& map) { add(Kind::Bytes, "quantize", map); }

void CnnTrace::on_norm_input(const FeatureMap& map) { add(Kind::NormInput, "norm_input", map); }

void CnnTrace::on_codes(const CnnCodes& codes) {
  if (!open_) {
    CnnTraceEntry entry;
    entry.kind = Kind::Codes;
    entry.op = "quantize";
    entry.is_bytes = true;
    entry.group = codes.group;
    entry.has_zero_points = codes.zero_points != nullptr;
    entries_.push_back(entry);
    codes_ = scales_ = zero_points_ = io::Crc32();
    open_ = true;
  }
  for (size_t column = 0; column < codes.columns; ++column) add_patch(codes, column);
  CnnTraceEntry& entry = entries_.back();
  entry.crc = codes_.value();
  entry.scale_crc = scales_.value();
  entry.zero_point_crc = zero_points_.value();
}

void CnnTrace::add_patch(const CnnCodes& codes, size_t column) {
  CnnTraceEntry& entry = entries_.back();
  std::vector<int8_t> row;
  const size_t n_pairs = (codes.group + 1) / 2;
  for (size_t g = 0; g < codes.n_groups; ++g) {
    const int16_t* pairs = codes.pairs + g * n_pairs * 2 * kPanelColumns;
    for (size_t i = 0; i < codes.group; ++i) {
      row.push_back(static_cast<int8_t>(pairs[(i / 2 * kPanelColumns + column) * 2 + i % 2]));
    }
    const size_t at = g * kPanelColumns + column;
    scales_.update(bytes_of(std::span(codes.scales + at, 1)));
    if (codes.zero_points != nullptr) {
      zero_points_.update(bytes_of(std::span(codes.zero_points + at, 1)));
    }
  }
  codes_.update(bytes_of(std::span<const int8_t>(row)));
  entry.count += row.size();
  for (size_t i = 0; i < row.size() && entry.n_first < entry.first.size(); ++i) {
    entry.first[entry.n_first++] = row[i];
  }
}

}  // namespace ambry::infer
