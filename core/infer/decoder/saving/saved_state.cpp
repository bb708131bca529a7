#include "infer/decoder/saving/saved_state.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "io/byte_reader.h"
#include "io/byte_writer.h"
#include "io/crc32.h"
#include "io/source.h"

namespace ambry::infer {
namespace {

constexpr std::string_view kMagic = "ambry-kv";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kVersionWithStates = 2;
constexpr uint64_t kChecksumAt = 12;
constexpr uint64_t kChecksumFrom = 16;  // the checksum covers all bytes from here on

// Names how numbers are computed: the same in every build. Another name keeps sequences out that a
// version with other roundings saved.
constexpr std::string_view kNumerics = "no fused sums";

uint32_t numerics_checksum() { return io::crc32(as_bytes(kNumerics)); }

// The first position whose row the ring still has: none where all are on a device.
uint64_t first_kept(const KvCache& layer, uint64_t n_tokens, uint64_t written, bool lacks_keys) {
  if (lacks_keys) return n_tokens;
  return written > layer.max_rows() ? std::min(n_tokens, written - layer.max_rows()) : 0;
}

uint32_t version_of(bool has_states) { return has_states ? kVersionWithStates : kVersion; }

Failure of_another(const char* path, const Text& message) {
  return make_error(ErrorCode::Mismatch, path, message);
}

}  // namespace

// What comes before the rows.
struct SavedState::Layout {
  static std::vector<uint8_t> head(const Decoder& decoder, const DecoderState& state,
                                   std::string_view note) {
    const DecoderIdentity& identity = decoder.identity();
    io::ByteWriter out;
    out.put_text(kMagic);
    out.put(version_of(!state.states_.empty()));
    out.put(uint32_t{0});  // the checksum
    out.put(uint64_t{0});  // the size
    out.put(static_cast<uint32_t>(decoder.kv()));
    out.put(static_cast<uint32_t>(decoder.activations()));
    out.put(numerics_checksum());
    out.put(identity.config);
    out.put(static_cast<uint32_t>(identity.tensors.size()));
    out.put(static_cast<uint32_t>(state.layers_.size()));
    out.put(uint64_t{state.position()});
    out.put(state.written_);
    out.put(state.rotated_for_);
    out.put(uint64_t{note.size()});
    out.put_text(note);
    out.put_bytes(bytes_of(std::span<const uint32_t>(identity.tensors)));
    out.put_bytes(bytes_of(state.ids()));
    return out.take();
  }
};

Result<AlignedBuffer> SavedState::write(const Decoder& decoder, const DecoderState& state,
                                        std::string_view note) {
  const DecoderState kept = state.fork();
  const std::vector<uint8_t> head = Layout::head(decoder, kept, note);
  const uint64_t end = kept.position();
  uint64_t total = head.size();
  for (const KvCache& layer : kept.layers_) {
    const uint64_t n_rows = end - first_kept(layer, end, kept.written_, kept.lacks_keys_);
    total += 2 * sizeof(uint64_t) + n_rows * layer.token_bytes();
  }
  for (const RecurrentState& layer : kept.states_) total += layer.saved_bytes();
  AMBRY_TRY(AlignedBuffer file, AlignedBuffer::allocate(total));
  uint8_t* at = std::ranges::copy(head, file.data()).out;
  for (const KvCache& layer : kept.layers_) {
    const uint64_t first = first_kept(layer, end, kept.written_, kept.lacks_keys_);
    store_le(at, first);
    store_le(at + sizeof first, layer.token_bytes());
    at += 2 * sizeof first;
    for (uint64_t position = first; position < end; ++position) {
      layer.copy_token(position, at);
      at += layer.token_bytes();
    }
  }
  for (const RecurrentState& layer : kept.states_) at = layer.save(at);
  assert(at == file.data() + file.size());
  store_le(file.data() + kChecksumFrom, total);
  store_le(file.data() + kChecksumAt,
           io::crc32(file.bytes().subspan(static_cast<size_t>(kChecksumFrom))));
  return file;
}

// The steps of read(), in the order of the fields.
struct SavedState::Reading {
  const Decoder& decoder;
  Bytes bytes;
  io::ByteReader& reader;

  [[nodiscard]] Result<void> check_whole() const {
    AMBRY_TRY(const Bytes magic, reader.read_bytes(kMagic.size(), "magic"));
    if (as_text(magic) != kMagic) {
      return reader.fail(ErrorCode::BadMagic, 0, "magic", "these bytes are no saved sequence");
    }
    AMBRY_TRY(const auto version, reader.read<uint32_t>("version"));
    const uint32_t expected = version_of(!decoder.config().layer_kinds.empty());
    if (version != expected) {
      return reader.fail(
          ErrorCode::UnsupportedVersion, kMagic.size(), "version",
          {"version ", version, ", but sequences of this model have version ", expected});
    }
    AMBRY_TRY(const auto checksum, reader.read<uint32_t>("checksum"));
    AMBRY_TRY(const auto size, reader.read<uint64_t>("size"));
    if (size != bytes.size()) {
      const auto code = size > bytes.size() ? ErrorCode::Truncated : ErrorCode::BadValue;
      return reader.fail(code, kChecksumFrom, "size",
                         {size, " bytes were saved, but there are ", bytes.size()});
    }
    if (io::crc32(bytes.subspan(static_cast<size_t>(kChecksumFrom))) != checksum) {
      return reader.fail(ErrorCode::BadValue, kChecksumAt, "checksum",
                         "the bytes are damaged: their checksum differs");
    }
    return {};
  }

  [[nodiscard]] Result<void> check_options() const {
    AMBRY_TRY(const auto kv, reader.read<uint32_t>("kv"));
    if (kv != static_cast<uint32_t>(decoder.kv())) {
      return of_another("saved.kv", "the sequence was saved with another type of keys and values");
    }
    AMBRY_TRY(const auto activations, reader.read<uint32_t>("weights"));
    if (activations != static_cast<uint32_t>(decoder.activations())) {
      return of_another("saved.weights", "the model was opened with another `weights` then");
    }
    AMBRY_TRY(const auto numerics, reader.read<uint32_t>("numerics"));
    if (numerics != numerics_checksum()) {
      return of_another("saved.numerics",
                        "the sequence was saved by another version of the package. Begin a session "
                        "with its messages instead");
    }
    return {};
  }

  [[nodiscard]] Result<DecoderIdentity> identity(uint32_t config, uint32_t n_tensors) const {
    DecoderIdentity saved;
    saved.config = config;
    AMBRY_TRY(const Bytes samples,
              reader.read_bytes(uint64_t{n_tensors} * sizeof(uint32_t), "tensors"));
    for (size_t i = 0; i < n_tensors; ++i) {
      saved.tensors.push_back(load_le<uint32_t>(samples.data() + i * sizeof(uint32_t)));
    }
    return saved;
  }

  [[nodiscard]] Result<void> ids(uint64_t count, DecoderState& state) const {
    const uint64_t begin = reader.position();
    AMBRY_TRY(const Bytes read, reader.read_bytes(count * sizeof(uint32_t), "ids"));
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      state.ids_.push_back(load_le<uint32_t>(read.data() + i * sizeof(uint32_t)));
      if (state.ids_.back() < decoder.n_vocab()) continue;
      return reader.fail(
          ErrorCode::BadValue, begin + i * sizeof(uint32_t), "ids",
          {"id ", state.ids_.back(), " is outside the vocabulary of ", decoder.n_vocab()});
    }
    return {};
  }

  [[nodiscard]] Result<void> rows(KvCache& layer, DecoderState& state) const {
    const uint64_t end = state.position();
    AMBRY_TRY(const auto first, reader.read<uint64_t>("first"));
    AMBRY_TRY(const auto token_bytes, reader.read<uint64_t>("tokenBytes"));
    if (token_bytes != layer.token_bytes()) return not_this_model();
    state.lacks_keys_ = state.lacks_keys_ || (end > 0 && first == end);
    if (first != first_kept(layer, end, state.written_, state.lacks_keys_)) {
      return of_another("saved.context", "the model was opened with another context then");
    }
    AMBRY_TRY(Bytes read, reader.read_bytes((end - first) * token_bytes, "rows"));
    if (decoder.on_device()) state.lacks_keys_ = true;
    if (state.lacks_keys_) return {};
    AMBRY_RETURN_IF_ERROR(layer.reserve(first, end));
    for (uint64_t position = first; position < end; ++position) {
      layer.put_token(position, read.data());
      read = read.subspan(static_cast<size_t>(token_bytes));
    }
    return {};
  }

  [[nodiscard]] Result<void> states(RecurrentState& layer, const DecoderState& state) const {
    const auto begin = static_cast<size_t>(reader.position());
    AMBRY_TRY(const size_t size, layer.restore(bytes.subspan(begin), state.position()));
    AMBRY_RETURN_IF_ERROR(reader.read_bytes(size, "states"));
    return {};
  }

  [[nodiscard]] static Failure not_this_model() {
    return of_another("saved.model", "the sequence was saved by another model");
  }
};

Result<SavedState> SavedState::read(const Decoder& decoder, Bytes bytes) {
  const io::MemorySource source(bytes);
  io::ByteReader reader(source);
  const auto scope = reader.enter("saved");
  const Reading reading{decoder, bytes, reader};
  AMBRY_RETURN_IF_ERROR(reading.check_whole());
  AMBRY_RETURN_IF_ERROR(reading.check_options());
  AMBRY_TRY(const auto config, reader.read<uint32_t>("config"));
  AMBRY_TRY(const auto n_tensors, reader.read<uint32_t>("nTensors"));
  AMBRY_TRY(const auto n_layers, reader.read<uint32_t>("nLayers"));
  AMBRY_TRY(const auto n_ids, reader.read<uint64_t>("nIds"));
  DecoderState state(decoder);
  AMBRY_TRY(state.written_, reader.read<uint64_t>("written"));
  AMBRY_TRY(state.rotated_for_, reader.read<uint64_t>("rotatedFor"));
  AMBRY_TRY(const auto note_bytes, reader.read<uint64_t>("noteBytes"));
  AMBRY_TRY(const std::string_view note, reader.read_utf8(note_bytes, "note"));
  AMBRY_TRY(const DecoderIdentity saved, reading.identity(config, n_tensors));
  if (!saved.may_equal(decoder.identity()) || n_layers != state.layers_.size()) {
    return Reading::not_this_model();
  }
  if (std::max(n_ids, state.written_) > state.capacity()) {
    return make_error(ErrorCode::LimitExceeded, "saved.context",
                      {n_ids, " tokens were saved, but the context is ", state.capacity()});
  }
  AMBRY_RETURN_IF_ERROR(reading.ids(n_ids, state));
  if (state.written_ < n_ids || !state.can_truncate(state.position())) {
    return make_error(ErrorCode::BadValue, "saved.written", "rows of the sequence are missing");
  }
  for (KvCache& layer : state.layers_) AMBRY_RETURN_IF_ERROR(reading.rows(layer, state));
  for (RecurrentState& layer : state.states_) {
    AMBRY_RETURN_IF_ERROR(reading.states(layer, state));
  }
  AMBRY_RETURN_IF_ERROR(reader.expect_end());
  return SavedState(std::move(state), std::string(note));
}

}  // namespace ambry::infer
