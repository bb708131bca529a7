#include "formats/finalfusion/finalfusion_parse.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "formats/finalfusion/chunk.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/storage_chunk.h"
#include "formats/finalfusion/vocabulary_chunk.h"
#include "io/limits.h"
#include "io/toml/toml.h"

namespace ambry::formats::finalfusion {
namespace {

class Parser {
 public:
  Parser(const io::Source& source, io::Diagnostics& diagnostics, const model::ReadOptions& options)
      : source_(source), diagnostics_(diagnostics), options_(options), reader_(source) {}

  Result<model::Model> parse() {
    model_.format = "finalfusion";
    model_.version = "0";
    model_.file_bytes = source_.size();
    AMBRY_RETURN_IF_ERROR(read_header());
    AMBRY_RETURN_IF_ERROR(read_metadata());
    AMBRY_RETURN_IF_ERROR(read_words());
    AMBRY_RETURN_IF_ERROR(read_vectors());
    AMBRY_RETURN_IF_ERROR(read_optional_norms());
    compare_header();
    finish();
    return std::move(model_);
  }

 private:
  Result<void> read_header();
  Result<void> read_metadata();
  Result<void> read_words();
  Result<void> read_vectors();
  Result<void> read_optional_norms();
  void note_cut_norms(uint64_t from, Failure problem);
  [[nodiscard]] uint64_t end_of_norms(uint64_t start) const;
  [[nodiscard]] bool lists_norms() const;
  void note_trailing(uint64_t from);
  void compare_header();
  void finish();
  [[nodiscard]] io::Json vocabulary_facts() const;
  [[nodiscard]] const model::TensorEntry* find(std::string_view name) const;

  const io::Source& source_;
  io::Diagnostics& diagnostics_;
  const model::ReadOptions& options_;
  io::ByteReader reader_;
  bool to_run_ = false;
  std::vector<uint32_t> declared_;  // chunk ids in the header
  std::vector<uint32_t> present_;   // ids of the chunks that exist
  model::Model model_;
};

Result<void> Parser::read_header() {
  const auto scope = reader_.enter("header");
  AMBRY_RETURN_IF_ERROR(want(source_, 0, kIdsAt + 4 * sizeof(uint32_t) + kChunkHeadBytes));
  AMBRY_TRY(const Bytes magic, reader_.read_bytes(kMagic.size(), "magic"));
  if (as_text(magic) != kMagic) {
    return reader_.fail(ErrorCode::BadMagic, 0, "magic",
                        "not finalfusion: expected 46 69 46 75 (FiFu)");
  }
  AMBRY_TRY(const auto version, reader_.read<uint32_t>("version"));
  to_run_ = version == kToRunVersion;
  if (version != kVersion && !to_run_) {
    return reader_.fail(ErrorCode::UnsupportedVersion, kVersionAt, "version",
                        {"version ", version, ", only 0 is known"});
  }
  AMBRY_TRY(const auto count, reader_.read<uint32_t>("n_chunks"));
  AMBRY_RETURN_IF_ERROR(reader_.check_count(count, sizeof(uint32_t), "n_chunks", kCountAt));
  AMBRY_TRY(const Bytes ids, reader_.read_bytes(uint64_t{count} * sizeof(uint32_t), "chunk_ids"));
  declared_.resize(count);
  bool known = true;
  for (size_t i = 0; i < declared_.size(); ++i) {
    declared_[i] = load_le<uint32_t>(ids.data() + i * sizeof(uint32_t));
    if (is_known(declared_[i]) || !known) continue;
    known = false;  // report it only once
    diagnostics_.error(error_at(ErrorCode::BadValue, kIdsAt + i * sizeof(uint32_t),
                                {"header.chunk_ids[", i, "]"},
                                {declared_[i], " is no chunk's id"}));
  }
  model_.regions.push_back({"header", 0, reader_.position()});
  return {};
}

Result<void> Parser::read_metadata() {
  const auto scope = reader_.enter("metadata");
  AMBRY_RETURN_IF_ERROR(want(source_, reader_.position(), kChunkHeadBytes + kMaxVocabularyFields));
  const uint64_t start = reader_.position();
  AMBRY_TRY(const ChunkHead head, read_chunk_head(reader_));
  if (head.id != kMetadata) {
    reader_.seek(start);
    return {};
  }
  present_.push_back(kMetadata);
  if (head.length > io::kMaxMetadataBytes) {
    return reader_.fail(ErrorCode::LimitExceeded, head.offset + 4, "len",
                        {head.length, " bytes, at most ", io::kMaxMetadataBytes});
  }
  AMBRY_TRY(const auto text, reader_.read_utf8(head.length, "text"));
  model_.metadata_text = text;
  model_.regions.push_back({"metadata", head.offset, reader_.position() - head.offset});
  // Other readers reject invalid TOML. The vectors can be used without it.
  auto metadata = io::parse_toml(text, head.payload(), "metadata");
  if (metadata) {
    model_.metadata = std::move(*metadata);
  } else {
    diagnostics_.tolerate(metadata.take_error());
  }
  return {};
}

Result<void> Parser::read_words() {
  const auto scope = reader_.enter("vocabulary");
  AMBRY_RETURN_IF_ERROR(want(source_, reader_.position(), kChunkHeadBytes + kMaxVocabularyFields));
  AMBRY_TRY(const ChunkHead head, read_chunk_head(reader_));
  if (!is_vocabulary(head.id)) {
    return reader_.fail(ErrorCode::BadValue, head.offset, "id",
                        {"a vocabulary expected (1, 3, 7, 8 or 9), found ", chunk_name(head.id)});
  }
  present_.push_back(head.id);
  model_.words.emplace().any_bytes = to_run_;
  AMBRY_TRY(const uint64_t end,
            read_vocabulary(source_, reader_, head, options_, diagnostics_, model_));
  reader_.seek(end);
  return {};
}

Result<void> Parser::read_vectors() {
  const auto scope = reader_.enter("storage");
  AMBRY_RETURN_IF_ERROR(
      want(source_, reader_.position(), kChunkHeadBytes + kQuantizedFields + kMaxPadding));
  AMBRY_TRY(const ChunkHead head, read_chunk_head(reader_));
  if (!is_storage(head.id)) {
    return reader_.fail(ErrorCode::BadValue, head.offset, "id",
                        {"vectors expected (2 or 4), found ", chunk_name(head.id)});
  }
  present_.push_back(head.id);
  auto read = read_storage(source_, reader_, head, diagnostics_, model_);
  if (read) return {};
  if (read.error().code == ErrorCode::Truncated) {
    const uint64_t end = head.stated_end();
    read.error().need_size = lists_norms() ? end_of_norms(end) : end;
  }
  return read.take_error();
}

bool Parser::lists_norms() const {
  return std::ranges::find(declared_, kNdNorms) != declared_.end();
}

// The norms are the last chunk, with one number for each word. 0 if that passes 64 bits.
uint64_t Parser::end_of_norms(uint64_t start) const {
  const auto fields = checked_add(start, kChunkHeadBytes + kNormsFields + kMaxPadding);
  const auto numbers = checked_mul(model_.words->n_words, sizeof(float));
  if (!fields || !numbers) return 0;
  const uint64_t from = *fields - kMaxPadding;
  return checked_add(from + padding_after(from), *numbers).value_or(0);
}

// One reader treats any fault here as "no norms". A file is opened without them only if just the
// end is missing: they can be computed.
Result<void> Parser::read_optional_norms() {
  const uint64_t start = reader_.position();
  if (reader_.remaining() < sizeof(uint32_t)) {
    if (!lists_norms()) {
      note_trailing(start);
    } else {
      present_.push_back(kNdNorms);
      note_cut_norms(start, error_at(ErrorCode::Truncated, start, "norms",
                                     "the header lists this chunk, and the file ends before it"));
    }
    return {};
  }
  const auto scope = reader_.enter("norms");
  AMBRY_RETURN_IF_ERROR(want(source_, start, kChunkHeadBytes + kNormsFields + kMaxPadding));
  AMBRY_TRY(const auto id, reader_.read<uint32_t>("id"));
  if (id != kNdNorms) {
    note_trailing(start);
    return {};
  }
  present_.push_back(kNdNorms);
  reader_.seek(start);
  auto read = [&]() -> Result<uint64_t> {
    AMBRY_TRY(const ChunkHead head, read_chunk_head(reader_));
    return read_norms(source_, reader_, head, diagnostics_, model_);
  }();
  if (read) {
    note_trailing(*read);
  } else if (read.error().code == ErrorCode::Truncated) {
    note_cut_norms(start, read.take_error());
  } else {
    return read.take_error();
  }
  return {};
}

void Parser::note_cut_norms(uint64_t from, Failure problem) {
  problem->need_size = end_of_norms(from);
  diagnostics_.recover(std::move(problem));
  if (from == source_.size()) return;
  model_.regions.push_back({"norms", from, source_.size() - from});
}

void Parser::note_trailing(uint64_t from) {
  if (from == source_.size()) return;
  model_.regions.push_back({"trailing", from, source_.size() - from});
  diagnostics_.tolerate(error_at(ErrorCode::BadValue, from, "end",
                                 {source_.size() - from, " bytes follow the last chunk"}));
}

void Parser::compare_header() {
  if (declared_ == present_) return;
  if (declared_.empty()) {
    diagnostics_.tolerate(
        error_at(ErrorCode::Mismatch, kCountAt, "header.n_chunks", "the header lists no chunks"));
    return;
  }
  // Old versions of the reference writer left the norms out of the list.
  const bool norms_only =
      present_.back() == kNdNorms && declared_.size() + 1 == present_.size() &&
      std::ranges::equal(declared_, std::span(present_).first(declared_.size()));
  std::string message = "the chunks are";
  for (const uint32_t id : present_) message += " " + chunk_name(id);
  if (norms_only) message = "the header does not list the norms, which are there";
  diagnostics_.tolerate(error_at(ErrorCode::Mismatch, kIdsAt, "header.chunk_ids", message));
}

const model::TensorEntry* Parser::find(std::string_view name) const {
  const auto found = std::ranges::find(model_.tensors, name, &model::TensorEntry::name);
  return found == model_.tensors.end() ? nullptr : &*found;
}

io::Json Parser::vocabulary_facts() const {
  const model::WordVocabulary& words = *model_.words;
  io::Json facts = io::Json::object();
  facts.set("kind", word_vocabulary_kind_name(words.kind));
  facts.set("n_words", words.n_words);
  if (words.kind == model::WordVocabularyKind::Simple) return facts;
  facts.set("min_n", words.min_n);
  facts.set("max_n", words.max_n);
  facts.set("n_buckets", words.n_buckets);
  if (words.kind == model::WordVocabularyKind::Explicit) {
    facts.set("n_ngrams", uint64_t{words.ngrams.size()});
  }
  if (words.kind == model::WordVocabularyKind::Floret) {
    facts.set("n_hashes", words.n_hashes);
    facts.set("seed", words.seed);
    facts.set("bow", words.bow);
    facts.set("eow", words.eow);
  }
  return facts;
}

void Parser::finish() {
  io::Json config = io::Json::object();
  const model::TensorEntry* codes = find(kCodes);
  if (codes == nullptr) {
    model::TensorEntry& storage = model_.tensors.front();
    storage.n_unit_rows = std::min(model_.words->n_words, storage.shape[0]);
    config.set("storage", "ndarray");
    config.set("rows", storage.shape[0]);
    config.set("dims", storage.shape[1]);
  } else {
    const tensor::Shape& centroids = find(kCentroids)->shape;
    config.set("storage", "quantized");
    config.set("rows", codes->shape[0]);
    config.set("dims", centroids[0] * centroids[2]);
    config.set("quantized_len", centroids[0]);
    config.set("n_centroids", centroids[1]);
    config.set("projection", find(kProjection) != nullptr);
    config.set("quantized_norms", find(kQuantizedNorms) != nullptr);
  }
  config.set("norms", find(kNorms) != nullptr);
  config.set("vocabulary", vocabulary_facts());
  model_.config = std::move(config);
}

}  // namespace

Result<model::Model> parse(const io::Source& source, io::Diagnostics& diagnostics,
                           const model::ReadOptions& options) {
  return Parser(source, diagnostics, options).parse();
}

}  // namespace ambry::formats::finalfusion
