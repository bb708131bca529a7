#include "formats/conformance.h"
#include "repetitions.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ambry::formats::testing {

Outcome read_in_parts(const File& file, const Format& format, const Reading& reading,
                      uint64_t* asked_bytes) {
  io::PartialSource source(file.size());
  for (size_t round = 0; round < 1000; ++round) {
    Outcome outcome = read(source, format, reading);
    if (outcome.model || outcome.model.error().code != ErrorCode::NeedBytes) {
      if (asked_bytes != nullptr) *asked_bytes = source.loaded_bytes();
      return outcome;
    }
    const Error& need = outcome.model.error();
    EXPECT_GT(need.need_size, 0U);
    EXPECT_TRUE(
        source.insert(need.byte_offset, Bytes(file).subspan(need.byte_offset, need.need_size)));
  }
  ADD_FAILURE() << "asks for bytes without end";
  return read(file, format, reading);
}

std::string summary(const Outcome& outcome) {
  if (!outcome.model) return describe(outcome.model.error());
  const model::Model& model = *outcome.model;
  std::string text = model.format + model.version + model.metadata.dump() + model.config.dump();
  for (const auto& t : model.tensors) {
    text += t.name + to_string(t.shape) + std::string(dtype_name(t.dtype)) + "@" +
            std::to_string(t.offset) + "+" + std::to_string(t.bytes) + "\n";
  }
  for (const auto& r : model.regions) {
    text += r.name + "@" + std::to_string(r.offset) + "+" + std::to_string(r.bytes) + "\n";
  }
  if (model.tokenizer) text += std::to_string(model.tokenizer->vocabulary.text_bytes()) + "\n";
  return text + outcome.text();
}

uint64_t token_count(const model::Model& model) {
  if (!model.tokenizer) return 0;
  const size_t read = model.tokenizer->vocabulary.size();
  return read == 0 ? model.tokenizer->n_tokens : read;
}

std::vector<size_t> tried_positions(size_t size) {
  constexpr size_t kAll = 2048;
  constexpr size_t kStart = 768;
  constexpr size_t kEnd = 64;
  constexpr size_t kBetween = 1024;
  // Odd, so that it meets every byte of aligned fields in turn.
  const size_t stride = size <= kAll ? 1 : (size - kStart - kEnd) / kBetween | 1;
  std::vector<size_t> positions;
  for (size_t at = 0; at < size;) {
    positions.push_back(at);
    at += at < kStart || at + kEnd >= size ? 1 : std::min(stride, size - kEnd - at);
  }
  return positions;
}

std::vector<int> flips_at(size_t at) {
  if (ambry::testing::kSanitized) return {1 << at % 8, 255};
  return {1, 2, 4, 8, 16, 32, 64, 128, 255};
}

}  // namespace ambry::formats::testing
