// The encoder of an EMBD file in memory, which must pass the strict checks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "convert/run_conversion.h"
#include "formats/registry.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"

namespace ambry::convert::testing {

inline Result<infer::Encoder> load_encoder(const File& file) {
  const formats::Format& format = *formats::find_format("embd");
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  AMBRY_TRY(const model::Model model, format.parse(io::MemorySource(file), found, {}));
  format.check(model, found);
  for (const Error& error : found.errors) ADD_FAILURE() << describe(error);
  AMBRY_TRY(const auto config, model::encoder_config(model));
  AMBRY_TRY(infer::EncoderBuilder builder,
            infer::EncoderBuilder::plan(model, config, infer::WeightStorage::AsStored));
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (!builder.wants(i)) continue;
    const model::TensorEntry& entry = model.tensors[i];
    AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(entry.bytes));
    std::copy_n(file.begin() + static_cast<ptrdiff_t>(entry.offset), entry.bytes,
                bytes.bytes().begin());
    AMBRY_RETURN_IF_ERROR(builder.accept(i, std::move(bytes)));
  }
  return std::move(builder).finish();
}

}  // namespace ambry::convert::testing
