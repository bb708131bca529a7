#include "formats/fasttext/parse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/order.h"
#include "base/utf8.h"
#include "formats/fasttext/layout.h"
#include "io/byte_reader.h"

namespace ambry::formats::fasttext {
namespace {

// Requested at once, because the length of the dictionary is not stated.
constexpr uint64_t kReadAhead = 1 << 20;

class Parser {
 public:
  Parser(const io::Source& source, bool lossy) : source_(source), lossy_(lossy), reader_(source) {}

  Result<File> parse() {
    AMBRY_RETURN_IF_ERROR(read_header());
    AMBRY_RETURN_IF_ERROR(read_dictionary());
    AMBRY_RETURN_IF_ERROR(read_matrix());
    return std::move(file_);
  }

 private:
  Result<void> read_header();
  Result<void> check_args(uint64_t at);
  Result<void> read_dictionary();
  Result<void> read_entry(uint64_t index);
  Result<Bytes> view_entry(uint64_t index);
  Result<void> add_entry(std::string_view text, uint8_t type, uint64_t at);
  Result<void> read_kept_buckets(uint64_t count);
  Result<void> read_matrix();
  Result<void> read_plain();
  Result<void> read_quantized();
  Result<Quantizer> read_quantizer(uint64_t dims);
  Result<void> read_norms();
  Result<void> check_shape(uint64_t rows, uint64_t cols, uint64_t at);

  const io::Source& source_;
  bool lossy_;
  io::ByteReader reader_;
  File file_;
  uint64_t n_words_ = 0;
};

Result<void> Parser::read_header() {
  const auto scope = reader_.enter("header");
  reader_.set_read_ahead(std::min(source_.size(), kReadAhead));
  AMBRY_TRY(const Bytes magic, reader_.read_bytes(kMagic.size(), "magic"));
  if (as_text(magic) != kMagic) {
    return reader_.fail(ErrorCode::BadMagic, 0, "magic",
                        "not fastText: expected BA 16 4F 2F; models of before 2017 have none");
  }
  AMBRY_TRY(file_.version, reader_.read<uint32_t>("version"));
  if (file_.version != kVersion && file_.version != kOldVersion) {
    return reader_.fail(ErrorCode::UnsupportedVersion, 4, "version",
                        {"version ", file_.version, ", only 11 and 12 are known"});
  }
  Args& args = file_.args;
  const std::pair<const char*, uint32_t*> fields[] = {
      {"dim", &args.dims},      {"ws", &args.window_size},
      {"epoch", &args.epoch},   {"minCount", &args.min_count},
      {"neg", &args.neg},       {"wordNgrams", &args.word_ngrams},
      {"loss", &args.loss},     {"model", &args.model},
      {"bucket", &args.bucket}, {"minn", &args.min_n},
      {"maxn", &args.max_n},    {"lrUpdateRate", &args.lr_update_rate}};
  const uint64_t args_at = reader_.position();
  for (const auto& [name, field] : fields) {
    const uint64_t at = reader_.position();
    AMBRY_TRY(*field, reader_.read<uint32_t>(name));
    if (*field > INT32_MAX) {
      return reader_.fail(ErrorCode::BadValue, at, name, "a negative number");
    }
  }
  AMBRY_TRY(const Bytes threshold, reader_.read_bytes(sizeof(double), "t"));
  args.sampling_threshold = load_le<double>(threshold.data());
  return check_args(args_at);
}

Result<void> Parser::check_args(uint64_t at) {
  Args& args = file_.args;
  if (args.dims == 0 || args.dims > kMaxDims) {
    return reader_.fail(ErrorCode::BadValue, at, "dim",
                        {args.dims, " numbers a vector, must be 1 to ", kMaxDims});
  }
  if (args.loss == 0 || args.loss > 4) {
    return reader_.fail(ErrorCode::BadValue, at + 24, "loss", {args.loss, ", must be 1 to 4"});
  }
  if (args.model == 0 || args.model > kSupervised) {
    return reader_.fail(ErrorCode::BadValue, at + 28, "model", {args.model, ", must be 1 to 3"});
  }
  if (!std::isfinite(args.sampling_threshold)) {
    return reader_.fail(ErrorCode::BadValue, at + 48, "t", "not a finite number");
  }
  if (file_.version == kOldVersion && args.model == kSupervised) args.max_n = 0;
  if (args.max_n > 0 && args.min_n > args.max_n) {
    return reader_.fail(ErrorCode::BadValue, at + 36, "minn",
                        {"n-grams of ", args.min_n, " to ", args.max_n, " characters"});
  }
  return {};
}

Result<void> Parser::read_dictionary() {
  const auto scope = reader_.enter("dictionary");
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto size, reader_.read<uint32_t>("size"));
  AMBRY_TRY(n_words_, reader_.read<uint32_t>("nwords"));
  AMBRY_TRY(const auto n_labels, reader_.read<uint32_t>("nlabels"));
  AMBRY_TRY(const auto n_tokens, reader_.read<uint64_t>("ntokens"));
  static_cast<void>(n_tokens);
  const uint64_t pruned_at = reader_.position();
  AMBRY_TRY(const auto n_kept, reader_.read<uint64_t>("pruneidx_size"));
  AMBRY_RETURN_IF_ERROR(reader_.check_count(size, kEntryBytes, "size", at));
  if (n_words_ + n_labels != size) {
    return reader_.fail(ErrorCode::Mismatch, at, "size",
                        {size, " entries, but ", n_words_, " words and ", n_labels, " labels"});
  }
  if (n_words_ == 0) return reader_.fail(ErrorCode::BadValue, at + 4, "nwords", "no words");
  for (uint64_t i = 0; i < size; ++i) AMBRY_RETURN_IF_ERROR(read_entry(i));
  if (n_kept >> 63 != 0) {
    if (n_kept == kNotPruned) return {};
    return reader_.fail(ErrorCode::BadValue, pruned_at, "pruneidx_size", "a negative number");
  }
  AMBRY_RETURN_IF_ERROR(
      reader_.check_count(n_kept, 2 * sizeof(uint32_t), "pruneidx_size", pruned_at));
  return read_kept_buckets(n_kept);
}

// The bytes of the entry at the reader's position, and possibly more.
Result<Bytes> Parser::view_entry(uint64_t index) {
  const uint64_t at = reader_.position();
  const uint64_t wanted = std::min(reader_.remaining(), kMaxWordBytes + kEntryBytes);
  if (auto held = source_.view(at, wanted, "dictionary")) return held;
  const auto scope = reader_.enter("entries", index);
  const uint64_t ahead = std::max(kReadAhead, at / 2);
  return source_.view(at, std::min(reader_.remaining(), ahead), reader_.path_of("word"));
}

Result<void> Parser::read_entry(uint64_t index) {
  const uint64_t at = reader_.position();
  AMBRY_TRY(const Bytes bytes, view_entry(index));
  const std::string_view text = as_text(bytes.first(std::min<size_t>(bytes.size(), kMaxWordBytes)));
  const size_t end = text.find('\0');
  const auto scope = reader_.enter("entries", index);
  if (end == std::string_view::npos && text.size() == kMaxWordBytes) {
    return reader_.fail(ErrorCode::LimitExceeded, at, "word",
                        {"a word of more than ", kMaxWordBytes, " bytes"});
  }
  if (end == std::string_view::npos || bytes.size() - end < kEntryBytes) {
    return reader_.fail(ErrorCode::Truncated, at, "word", "the file ends inside the entry");
  }
  const uint8_t type = bytes[end + kEntryBytes - 1];
  const bool is_word = index < n_words_;
  if (type != (is_word ? kWordEntry : kLabelEntry)) {
    return reader_.fail(ErrorCode::BadValue, at + end + kEntryBytes - 1, "type",
                        {"the type ", uint32_t{type}, "; words come first (0), then labels (1)"});
  }
  AMBRY_RETURN_IF_ERROR(add_entry(text.substr(0, end), type, at));
  reader_.seek(at + end + kEntryBytes);
  return {};
}

Result<void> Parser::add_entry(std::string_view text, uint8_t type, uint64_t at) {
  model::Vocabulary& texts = type == kWordEntry ? file_.words : file_.labels;
  if (text.empty()) return reader_.fail(ErrorCode::BadValue, at, "word", "an empty word");
  // U+FFFD takes at most three bytes for one byte.
  if (texts.text_bytes() + 3 * text.size() > UINT32_MAX) {
    return reader_.fail(ErrorCode::LimitExceeded, at, "word", "more than 4 GiB of words");
  }
  const auto bad = find_invalid_utf8(text);
  if (!bad) {
    texts.push_back(text);
    return {};
  }
  if (!lossy_) {
    return reader_.fail(ErrorCode::BadValue, at + *bad, "word", "not valid UTF-8");
  }
  file_.replaced_bytes = true;
  texts.push_back(replace_invalid_utf8(text));
  return {};
}

// Reads pairs of a bucket and its row, in the order of a hash table.
Result<void> Parser::read_kept_buckets(uint64_t count) {
  const uint64_t at = reader_.position();
  constexpr size_t kPair = 2 * sizeof(uint32_t);
  AMBRY_TRY(const Bytes pairs, reader_.read_bytes(count * kPair, "pruneidx"));
  const auto n_pairs = static_cast<size_t>(count);
  const auto bucket_of = [&](size_t i) { return load_le<uint32_t>(pairs.data() + i * kPair); };
  const auto row_of = [&](size_t i) {
    return load_le<uint32_t>(pairs.data() + i * kPair + sizeof(uint32_t));
  };
  file_.pruned = true;
  std::vector<bool> taken(n_pairs);
  const std::vector<uint32_t> order =
      sorted_order(n_pairs, [&](uint32_t a, uint32_t b) { return bucket_of(a) < bucket_of(b); });
  for (const uint32_t i : order) {
    const uint32_t bucket = bucket_of(i);
    const uint32_t row = row_of(i);
    const bool again = !file_.kept_buckets.empty() && file_.kept_buckets.back() == bucket;
    if (again || bucket >= file_.args.bucket || row >= count || taken[row]) {
      return reader_.fail(ErrorCode::BadValue, at + i * kPair, "pruneidx",
                          {"bucket ", bucket, " in row ", row});
    }
    taken[row] = true;
    file_.kept_buckets.push_back(bucket);
    file_.kept_rows.push_back(row);
  }
  return {};
}

Result<void> Parser::check_shape(uint64_t rows, uint64_t cols, uint64_t at) {
  const uint64_t buckets = file_.pruned ? file_.kept_buckets.size() : file_.args.bucket;
  if (rows != n_words_ + buckets) {
    return reader_.fail(ErrorCode::Mismatch, at, "rows",
                        {rows, " rows for ", n_words_, " words and ", buckets, " buckets"});
  }
  if (cols == file_.args.dims) return {};
  return reader_.fail(ErrorCode::Mismatch, at + sizeof(uint64_t), "cols",
                      {cols, " columns, but dim is ", file_.args.dims});
}

Result<void> Parser::read_matrix() {
  const auto scope = reader_.enter("input");
  const uint64_t at = reader_.position();
  AMBRY_TRY(const auto quantized, reader_.read<uint8_t>("quantized"));
  if (quantized > 1) {
    return reader_.fail(ErrorCode::BadValue, at, "quantized",
                        {uint32_t{quantized}, ", must be 0 or 1"});
  }
  return quantized == 1 ? read_quantized() : read_plain();
}

Result<void> Parser::read_plain() {
  const uint64_t at = reader_.position();
  AMBRY_TRY(file_.rows, reader_.read<uint64_t>("rows"));
  AMBRY_TRY(const auto cols, reader_.read<uint64_t>("cols"));
  AMBRY_RETURN_IF_ERROR(check_shape(file_.rows, cols, at));
  file_.data_offset = reader_.position();
  // Both are below 2^33.
  return reader_.skip(file_.rows * cols * sizeof(float), "data");
}

Result<void> Parser::read_quantized() {
  AMBRY_TRY(const auto with_norms, reader_.read<uint8_t>("qnorm"));
  const uint64_t at = reader_.position();
  AMBRY_TRY(file_.rows, reader_.read<uint64_t>("rows"));
  AMBRY_TRY(const auto cols, reader_.read<uint64_t>("cols"));
  AMBRY_RETURN_IF_ERROR(check_shape(file_.rows, cols, at));
  const uint64_t codes_at = reader_.position();
  AMBRY_TRY(const auto n_codes, reader_.read<uint32_t>("codesize"));
  file_.data_offset = reader_.position();
  AMBRY_RETURN_IF_ERROR(reader_.skip(n_codes, "codes"));
  AMBRY_TRY(file_.quantizer, read_quantizer(cols));
  if (file_.rows * file_.quantizer->n_groups != n_codes) {
    return reader_.fail(
        ErrorCode::Mismatch, codes_at, "codesize",
        {n_codes, " codes for ", file_.rows, " rows of ", file_.quantizer->n_groups});
  }
  return with_norms != 0 ? read_norms() : Result<void>();
}

Result<Quantizer> Parser::read_quantizer(uint64_t dims) {
  const uint64_t at = reader_.position();
  Quantizer made;
  AMBRY_TRY(const auto stated, reader_.read<uint32_t>("pq.dim"));
  AMBRY_TRY(made.n_groups, reader_.read<uint32_t>("pq.nsubq"));
  AMBRY_TRY(made.group, reader_.read<uint32_t>("pq.dsub"));
  AMBRY_TRY(made.last_group, reader_.read<uint32_t>("pq.lastdsub"));
  const bool sound = stated == dims && made.n_groups > 0 && made.last_group > 0 &&
                     made.last_group <= made.group && made.group <= dims &&
                     uint64_t{made.n_groups - 1} * made.group + made.last_group == dims;
  if (!sound) {
    return reader_.fail(ErrorCode::BadValue, at, "pq",
                        {"groups of ", made.group, ", ", made.n_groups, " of them, the last of ",
                         made.last_group, ", do not make ", dims, " numbers"});
  }
  AMBRY_TRY(const Bytes bytes,
            reader_.read_bytes(dims * kCentroids * sizeof(float), "pq.centroids"));
  made.centroids.resize(static_cast<size_t>(dims * kCentroids));
  std::ranges::copy(bytes, reinterpret_cast<uint8_t*>(made.centroids.data()));
  return made;
}

Result<void> Parser::read_norms() {
  AMBRY_TRY(const Bytes codes, reader_.read_bytes(file_.rows, "norm_codes"));
  AMBRY_TRY(const Quantizer norms, read_quantizer(1));
  file_.row_norms.reserve(codes.size());
  for (const uint8_t code : codes) file_.row_norms.push_back(norms.centroids[code]);
  return {};
}

}  // namespace

Result<bool> probe(const io::Source& source) {
  return source.size() < kHeaderBytes ? Result<bool>(false) : source.starts_with(kMagic);
}

Result<File> parse(const io::Source& source, bool lossy) { return Parser(source, lossy).parse(); }

io::Json metadata_of(const Args& args) {
  static constexpr std::array<std::string_view, 4> kLosses = {
      "HierarchicalSoftmax", "NegativeSampling", "Softmax", "OneVsAll"};
  static constexpr std::array<std::string_view, 3> kModels = {"Cbow", "SkipGram", "Supervised"};
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
