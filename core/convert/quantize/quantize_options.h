// How a conversion is to store matrices in fewer bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/product_quantization/training_options.h"
#include "model/cnn/cnn_ranges.h"
#include "model/decoder/decoder_activations.h"
#include "tensor/dtype.h"

namespace ambry::convert {

// Of word vectors.
struct VectorOptions {
  // Without n_slices, half the dimensions; `kind` is what the type says.
  kernels::TrainingOptions training{.n_slices = 0};
  uint64_t sample = 0;  // rows to train on; 0: as many as fit 64 MiB
};

struct QuantizeOptions {
  std::string type;  // a row of quantizations()
  // Elements that share a scale: 32 or 128; 0, one scale a tensor, where the type can.
  uint16_t block_size = 32;
  // Absent: F16, but F32 for a tensor with a scale that does not fit.
  std::optional<tensor::DType> scale_type;
  // DQ8: elements that share a scale, where a layer's form allows it; without zero points or with.
  uint64_t group = 64;
  bool symmetric = false;
  // SQ8: what a calibration run saw.
  std::optional<model::CnnRanges> ranges;
  // Adaptive: of all quantised tensors together, with their scales.
  double bits_per_weight = 5.5;
  // Names of the target's tensors that stay as they are; vectors (norms and biases) always do.
  std::vector<std::string> keep;
  bool keep_embeddings = false;
  bool keep_output = false;  // the matrix before the logits, where it is one of its own
  // Adaptive: what the model's layers are given, by which errors are weighed. Absent: all count the
  // same. Shared, because a conversion may have to begin several times.
  std::shared_ptr<const model::DecoderActivations> activations;
  VectorOptions vectors;
};

}  // namespace ambry::convert
