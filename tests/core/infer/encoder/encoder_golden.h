// A case of tests/fixtures/encoder/, read for a test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "infer/encoder/encoder.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"

namespace ambry {

struct EncoderGolden {
  using Rows = std::vector<std::vector<double>>;

  model::EncoderConfig config;
  bool int8 = false;
  bool normalize = true;
  size_t n_prompt = 0;
  std::vector<std::vector<uint32_t>> ids;
  std::vector<std::vector<uint32_t>> type_ids;
  std::vector<std::pair<std::string, Rows>> pooled;  // by pooling mode
  std::vector<std::pair<std::string, Rows>> pooled_without_prompt;

  [[nodiscard]] std::vector<infer::Sequence> sequences() const;

  static EncoderGolden read(const std::string& name);
};

}  // namespace ambry
