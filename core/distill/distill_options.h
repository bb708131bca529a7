// The options of a distillation.
#pragma once

#include <cstdint>
#include <string>

#include "tensor/dtype/dtype.h"

namespace ambry::distill {

struct DistillOptions {
  uint32_t dim = 256;  // of the vectors, at most the encoder's
  double sif = 1e-4;   // a of the weights a / (a + frequency); 0: no weights
  tensor::DType dtype = tensor::DType::I8;
  uint32_t vocab_size = 0;  // the tokens that are kept, the most frequent first; 0: all
  std::string model_name = "model";
  std::string created_at;  // empty: a fixed date, so that equal input gives equal bytes
};

}  // namespace ambry::distill
