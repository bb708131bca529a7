#include "formats/fasttext/fasttext_header.h"

#include <array>
#include <cmath>
#include <utility>

#include "formats/fasttext/fasttext_layout.h"

namespace ambry::formats::fasttext {
namespace {

Result<void> check_args(const io::ByteReader& reader, Header& header, uint64_t at) {
  Args& args = header.args;
  if (args.dims == 0 || args.dims > kMaxDims) {
    return reader.fail(ErrorCode::BadValue, at, "dim",
                       {args.dims, " numbers a vector, must be 1 to ", kMaxDims});
  }
  if (args.loss == 0 || args.loss > 4) {
    return reader.fail(ErrorCode::BadValue, at + 24, "loss", {args.loss, ", must be 1 to 4"});
  }
  if (args.model == 0 || args.model > kSupervised) {
    return reader.fail(ErrorCode::BadValue, at + 28, "model", {args.model, ", must be 1 to 3"});
  }
  if (!std::isfinite(args.sampling_threshold)) {
    return reader.fail(ErrorCode::BadValue, at + 48, "t", "not a finite number");
  }
  if (header.version == kOldVersion && args.model == kSupervised) args.max_n = 0;
  if (args.max_n > 0 && args.min_n > args.max_n) {
    return reader.fail(ErrorCode::BadValue, at + 36, "minn",
                       {"n-grams of ", args.min_n, " to ", args.max_n, " characters"});
  }
  return {};
}

}  // namespace

Result<Header> read_header(io::ByteReader& reader) {
  const auto scope = reader.enter("header");
  AMBRY_TRY(const Bytes magic, reader.read_bytes(kMagic.size(), "magic"));
  if (as_text(magic) != kMagic) {
    return reader.fail(ErrorCode::BadMagic, 0, "magic",
                       "not fastText: expected BA 16 4F 2F; models of before 2017 have none");
  }
  Header header;
  AMBRY_TRY(header.version, reader.read<uint32_t>("version"));
  if (header.version != kVersion && header.version != kOldVersion) {
    return reader.fail(ErrorCode::UnsupportedVersion, 4, "version",
                       {"version ", header.version, ", only 11 and 12 are known"});
  }
  Args& args = header.args;
  const std::pair<const char*, uint32_t*> fields[] = {
      {"dim", &args.dims},      {"ws", &args.window_size},
      {"epoch", &args.epoch},   {"minCount", &args.min_count},
      {"neg", &args.neg},       {"wordNgrams", &args.word_ngrams},
      {"loss", &args.loss},     {"model", &args.model},
      {"bucket", &args.bucket}, {"minn", &args.min_n},
      {"maxn", &args.max_n},    {"lrUpdateRate", &args.lr_update_rate}};
  const uint64_t args_at = reader.position();
  for (const auto& [name, field] : fields) {
    const uint64_t at = reader.position();
    AMBRY_TRY(*field, reader.read<uint32_t>(name));
    if (*field > INT32_MAX) return reader.fail(ErrorCode::BadValue, at, name, "a negative number");
  }
  AMBRY_TRY(const Bytes threshold, reader.read_bytes(sizeof(double), "t"));
  args.sampling_threshold = load_le<double>(threshold.data());
  AMBRY_RETURN_IF_ERROR(check_args(reader, header, args_at));
  return header;
}

io::Json metadata_of(const Args& args) {
  static constexpr auto kLosses = std::to_array<std::string_view>(
      {"HierarchicalSoftmax", "NegativeSampling", "Softmax", "OneVsAll"});
  static constexpr auto kModels =
      std::to_array<std::string_view>({"Cbow", "SkipGram", "Supervised"});
  io::Json metadata = io::Json::object();
  metadata.set("dims", uint64_t{args.dims});
  metadata.set("window_size", uint64_t{args.window_size});
  metadata.set("epoch", uint64_t{args.epoch});
  metadata.set("min_count", uint64_t{args.min_count});
  metadata.set("neg", uint64_t{args.neg});
  metadata.set("word_ngrams", uint64_t{args.word_ngrams});
  metadata.set("loss", kLosses[args.loss - 1]);
  metadata.set("model", kModels[args.model - 1]);
  metadata.set("bucket", uint64_t{args.bucket});
  metadata.set("min_n", uint64_t{args.min_n});
  metadata.set("max_n", uint64_t{args.max_n});
  metadata.set("lr_update_rate", uint64_t{args.lr_update_rate});
  metadata.set("sampling_threshold", args.sampling_threshold);
  return metadata;
}

}  // namespace ambry::formats::fasttext
