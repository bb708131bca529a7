// The options of quantization.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/product_quantization/training_options.h"
#include "model/cnn/cnn_ranges.h"
#include "model/decoder/decoder_activations.h"
#include "tensor/dtype/dtype.h"

namespace ambry::convert {

// Options for word vectors.
struct VectorOptions {
  // With n_slices 0, a vector has half as many slices as dimensions. `type` sets `kind`.
  kernels::TrainingOptions training{.n_slices = 0};
  uint64_t sample = 0;  // rows to train on; 0: as many as fit 64 MiB
};

struct QuantizeOptions {
  std::string type;  // a row of quantizations()
  // The number of elements that share a scale: 32 or 128. 0 means one scale for the tensor, if the
  // type supports that.
  uint16_t block_size = 32;
  // If absent: F16, or F32 for a tensor with a scale that F16 cannot store.
  std::optional<tensor::DType> scale_type;
  // DQ8: the number of elements that share a scale, if the layer's shape allows it, and whether
  // groups have no zero points.
  uint64_t group = 64;
  bool symmetric = false;
  // SQ8: the ranges that a calibration run observed.
  std::optional<model::CnnRanges> ranges;
  // Adaptive: the average over all quantized tensors, including their scales.
  double bits_per_weight = 5.5;
  // Names of the target's tensors that keep their type. Vectors (norms and biases) always do.
  std::vector<std::string> keep;
  bool keep_embeddings = false;
  bool keep_output = false;  // the output matrix, if it is not the token embedding
  // Adaptive: the activations by which errors are weighted. If absent, all errors have equal
  // weight. Shared, because a conversion may have to begin several times.
  std::shared_ptr<const model::DecoderActivations> activations;
  VectorOptions vectors;
};

}  // namespace ambry::convert
