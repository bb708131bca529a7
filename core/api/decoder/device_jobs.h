// Running a model on a device (infer/decoder/device/device_block.h): the pass that checks it, and
// the rows that it computes. What JavaScript reads of them are numbers in the heap, among them
// addresses of others, and how many.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "generate/run/generator.h"
#include "infer/decoder/decoder_pass.h"
#include "infer/decoder/decoder_state.h"

namespace ambry::api {

// See infer::device_plan(): JSON of the numbers.
[[nodiscard]] Result<std::string> device_plan(const generate::Generator& generator);
// Whether a device computes the passes from now on; see infer::Decoder::begin_device().
void set_device(generate::Generator& generator, bool on);

// A pass in this code over tokens that are always the same, with what each part leaves.
class DeviceCheck {
 public:
  [[nodiscard]] static Result<std::unique_ptr<DeviceCheck>> begin(
      std::shared_ptr<generate::Generator> generator);

  // Runs a part, or says which one is missing.
  [[nodiscard]] Result<void> step();
  // Whether the pass is done; the part that is missing, and the part that the last step has run,
  // each plus 1 or 0 for none; the addresses of ids, cosines and sines, those of local layers, and
  // the results, each with its count; and those of the buffers of PassScratch: hidden, attended,
  // normed, query, key, value, context, wide, out.
  [[nodiscard]] std::span<const uint32_t> facts() const { return facts_; }

 private:
  explicit DeviceCheck(std::shared_ptr<generate::Generator> generator);

  std::shared_ptr<generate::Generator> generator_;
  infer::DecoderState state_;
  std::vector<uint32_t> ids_;
  std::vector<float> rope_;
  std::vector<float> local_rope_;
  std::vector<uint32_t> facts_;
  infer::ForwardPass pass_;
};

// The rows that a pass waits for.
class DeviceRows {
 public:
  // NotFound when no pass waits.
  [[nodiscard]] static Result<std::unique_ptr<DeviceRows>> of(const generate::Generator& generator);

  // Whether hidden states are wanted; the addresses of ids, wanted rows, cosines and sines, those
  // of local layers, and the results, each with its count; and for each piece its sequence,
  // rotation, first row, rows, and the address of the tokens before and their count. The results
  // are rows of f32, to be written before answer().
  [[nodiscard]] std::span<const uint32_t> facts() const { return facts_; }
  // `restart`: the device has not the tokens before, and the pass must bring them.
  void answer(bool restart);

 private:
  explicit DeviceRows(std::shared_ptr<infer::DeviceBlock> block);

  std::shared_ptr<infer::DeviceBlock> block_;
  std::vector<uint32_t> facts_;
};

}  // namespace ambry::api
