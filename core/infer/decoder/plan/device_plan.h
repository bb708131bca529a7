// What a device has to do to run a decoder (device/device_block.h): the matrices and vectors that
// it needs, and the steps of each part of a pass over them. The steps are those of steps/, in their
// order and with the names of PassScratch for what they leave, so that the results of each part
// can be compared.
#pragma once

#include <vector>

#include "base/result.h"
#include "infer/decoder/weights/decoder.h"

namespace ambry::infer {

// What a step computes. web/src/gpu/README.md has the buffers and numbers of each.
enum DeviceKernel : uint8_t {
  kCopy,
  kAdd,
  kScale,
  kCap,
  kTake,
  kTemper,
  kGate,
  kActivate,
  kNorm,
  kRotate,
  kKeep,
  kAttend,
  kEmbed,
  kMultiply,
};

// Rows that steps read and write, as in PassScratch; `picked` are the rows whose results are
// wanted.
enum DeviceBuffer : uint8_t {
  kHiddenRows,
  kAttendedRows,
  kNormedRows,
  kOutRows,
  kPickedRows,
  kQueryRows,
  kContextRows,
  kGateRows,
  kKeyRows,
  kValueRows,
  kWideRows,
  kUpRows,
  kFusedRows,
  kLogitsRows,
};
inline constexpr size_t kDeviceBuffers = 14;

// One list of numbers, to keep the WebAssembly small:
//   norm (0 RMS, 1 layer), its epsilon, layers, numbers of the keys of a token, context;
//   floats of a row of each buffer;
//   the count of vectors, and for each its address in the heap and its length;
//   the count of matrices, and for each what device_matrix() gives;
//   the count of parts, and for each that of its steps, and for each step its length, its kernel,
//   its buffers and its numbers.
// The parts are those of a pass, but the last norm is one of its own before the output. Unsupported
// for a model that has what no step computes, with the layer and its kind, or the tensor and its
// type.
[[nodiscard]] Result<std::vector<double>> device_plan(const Decoder& decoder);

}  // namespace ambry::infer
