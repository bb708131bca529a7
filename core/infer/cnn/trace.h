// Checksums of everything that a network computes, to find out where two runs differ: of the
// results of nodes, of the codes of DQ8's patches, and of the bytes of SQ8's activations.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "infer/cnn/network.h"
#include "infer/cnn/ops/observer.h"
#include "io/crc32.h"

namespace ambry::infer {

struct CnnTraceEntry {
  enum class Kind : uint8_t { Value, Codes, Bytes, NormInput };

  Kind kind = Kind::Value;
  std::string_view op;  // the operation, or `input`, `quantize`, `norm_input`
  uint32_t index = 0;   // the layer's index in the table: for convs, linear layers and batch norms
  model::CnnShape shape;
  // Whether the values are bytes. In a trace of SQ8, the values of add, pools and norms are still
  // floats.
  bool is_bytes = false;
  model::CnnActivation form;
  // CRC-32 over the values in memory, channel by channel. For codes: over the bytes of all patches,
  // one patch after another.
  uint32_t crc = 0;
  std::array<float, 8> first{};  // up to 8, converted to floats
  size_t n_first = 0;
  // For codes: their count, the group size, and the CRC-32 of scales and zero points.
  uint64_t count = 0;
  uint64_t group = 0;
  uint32_t scale_crc = 0;
  uint32_t zero_point_crc = 0;
  bool has_zero_points = false;
};

class CnnTrace final : public CnnObserver {
 public:
  explicit CnnTrace(const CnnNetwork& network) : network_(network) {}

  void on_value(uint32_t value, const FeatureMap& map) override;
  void on_codes(const CnnCodes& codes) override;
  void on_quantized(const FeatureMap& map) override;
  void on_norm_input(const FeatureMap& map) override;

  // In the order of computation.
  [[nodiscard]] const std::vector<CnnTraceEntry>& entries() const { return entries_; }

 private:
  CnnTraceEntry& add(CnnTraceEntry::Kind kind, std::string_view op, const FeatureMap& map);
  void add_patch(const CnnCodes& codes, size_t column);

  const CnnNetwork& network_;
  std::vector<CnnTraceEntry> entries_;
  // Whether codes are still arriving, and their checksums so far.
  bool open_ = false;
  io::Crc32 codes_;
  io::Crc32 scales_;
  io::Crc32 zero_points_;
};

}  // namespace ambry::infer
