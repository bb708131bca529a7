// A device that runs a plan (plan/device_plan.h) step by step in plain C++, by what the plan says
// alone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "infer/decoder/device/device_block.h"
#include "infer/decoder/plan/device_matrix.h"
#include "infer/decoder/plan/device_plan.h"
#include "infer/decoder/synthetic_decoder.h"

namespace ambry::infer::testing {

class PlanDevice {
 public:
  PlanDevice(const SyntheticDecoder& made, const Decoder& decoder);

  // Computes the block, or asks for all tokens of its sequences where it has not those before.
  void answer(DeviceBlock& block);
  // Forgets all keys and values.
  void forget() { sequences_.clear(); }

  [[nodiscard]] size_t n_restarts() const { return n_restarts_; }

 private:
  struct Sequence {
    std::vector<uint32_t> ids;
    uint32_t rotation = 0;
    std::vector<std::vector<float>> keys;  // of each layer, token by token
    std::vector<std::vector<float>> values;
  };
  struct Matrix {
    size_t rows;
    size_t cols;
    std::vector<float> values;
  };
  [[nodiscard]] const Sequence* find(const DeviceBlock::Piece& piece) const;
  [[nodiscard]] static Matrix read(const SyntheticDecoder& made, const DeviceMatrix& form);
  void run_part(size_t part, size_t n_rows);
  void run(DeviceKernel kernel, const std::vector<size_t>& names,
           const std::vector<double>& numbers, size_t n_rows);
  void normalize(size_t from, size_t to, const std::vector<double>& numbers, size_t n_rows);
  void rotate(std::vector<float>& heads, const std::vector<double>& numbers, size_t n_rows);
  void keep(const std::vector<double>& numbers);
  void attend(const std::vector<double>& numbers);

  bool is_centered_ = false;
  double epsilon_ = 0;
  size_t n_layers_ = 0;
  size_t kv_width_ = 0;
  std::array<size_t, kDeviceBuffers> widths_{};
  std::vector<Matrix> matrices_;
  std::vector<std::vector<float>> vectors_;
  std::vector<std::vector<std::vector<double>>> parts_;  // the steps of each
  std::array<std::vector<float>, kDeviceBuffers> buffers_;
  std::map<uint64_t, Sequence> sequences_;
  const DeviceBlock* block_ = nullptr;
  size_t n_restarts_ = 0;
};

}  // namespace ambry::infer::testing
