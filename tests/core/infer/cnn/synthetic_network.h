// Networks with random weights in every variant.
#pragma once

#include "formats/tinyruntime/make_tinyruntime.h"
#include "infer/cnn/read_network.h"
#include "kernels/test_random.h"

namespace ambry::infer::testing {

// The file of `maker` with random values of realistic size.
inline File synthetic_file(formats::tinyruntime::testing::Maker& maker, uint64_t seed) {
  File file = maker.make();
  TestRandom random(seed);
  const model::Model model = parse(file);
  for (const model::TensorEntry& tensor : model.tensors) {
    const bool scale = tensor.name.ends_with(".scale");
    const bool positive = scale || tensor.name.ends_with("running_var");
    uint8_t* to = file.data() + tensor.offset;
    for (uint64_t at = 0; at < tensor.bytes; at += tensor.dtype == tensor::DType::I8 ? 1 : 4) {
      if (tensor.dtype == tensor::DType::F32) {
        const float number = random.next();
        const float size = positive ? 0.05F + (number + 1.0F) / 2.0F : number;
        store_le(to + at, scale ? size / 100.0F : size);
      } else if (tensor.dtype == tensor::DType::I8) {
        to[at] = static_cast<uint8_t>(random.bits() & 0xFFU);
      } else {
        store_le(to + at, static_cast<int32_t>(random.bits() % 2001U) - 1000);
      }
    }
  }
  return file;
}

}  // namespace ambry::infer::testing
