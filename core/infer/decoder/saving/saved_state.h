// A sequence as bytes: its ids, keys and values, and a note of the caller.
// core/infer/decoder/saving/README.md states the layout. Only the decoder that made the bytes takes
// them back: the same file, opened with the same types, in the same build. So the sequence goes on
// with the same bits.
#pragma once

#include <string>
#include <string_view>

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "infer/decoder/decoder_state.h"
#include "infer/decoder/weights/decoder.h"

namespace ambry::infer {

class SavedState {
 public:
  // LimitExceeded when the heap cannot hold the bytes. An incomplete pass is left out.
  [[nodiscard]] static Result<AlignedBuffer> write(const Decoder& decoder,
                                                   const DecoderState& state,
                                                   std::string_view note);

  // Truncated, BadMagic, UnsupportedVersion, or BadValue for bytes that are none or are damaged.
  // Mismatch for those of another decoder, with the path `saved.kv`, `saved.weights`,
  // `saved.numerics` or `saved.model`. LimitExceeded with the path `saved.context` for a sequence
  // that is longer than the context, and with `memory` when the heap is full.
  [[nodiscard]] static Result<SavedState> read(const Decoder& decoder, Bytes bytes);

  [[nodiscard]] DecoderState& state() { return state_; }
  [[nodiscard]] std::string& note() { return note_; }

 private:
  SavedState(DecoderState state, std::string note)
      : state_(std::move(state)), note_(std::move(note)) {}

  struct Layout;
  struct Reading;

  DecoderState state_;
  std::string note_;
};

}  // namespace ambry::infer
