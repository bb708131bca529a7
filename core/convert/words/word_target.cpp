#include "convert/words/word_target.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/bytes.h"
#include "formats/fasttext/fasttext_write.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_write.h"
#include "formats/wordvec/wordvec_write.h"
#include "model/file/file_layout.h"
#include "model/file/model.h"

namespace ambry::convert {
namespace {

namespace fasttext = formats::fasttext;
namespace finalfusion = formats::finalfusion;
namespace wordvec = formats::wordvec;
using model::WordVocabularyKind;

class FinalfusionTarget final : public WordTarget {
 public:
  Result<void> begin(const WordFacts& facts, bool /*lossy*/, std::vector<Error>& /*warnings*/,
                     std::string& out) override {
    model::Model target;
    target.words = facts.words;
    target.words->any_bytes = facts.to_run;
    target.metadata = facts.metadata;
    if (facts.metadata_toml) {
      target.format = "finalfusion";  // its metadata text is written unchanged
      target.metadata_text = *facts.metadata_toml;
    }
    const auto add_tensor = [&](std::string_view name, tensor::Shape shape) {
      model::TensorEntry& entry = target.tensors.emplace_back();
      entry.name = name;
      entry.shape = shape;
    };
    add_tensor(finalfusion::kStorage, {facts.words.n_rows(), facts.dims});
    if (facts.raw || facts.normed) add_tensor(finalfusion::kNorms, {facts.words.n_words});
    AMBRY_TRY(model::FileLayout layout, finalfusion::lay_out(target));
    total_bytes_ = layout.total_bytes;
    pieces_ = std::move(layout.pieces);
    write_literals(out);
    return {};
  }

  void add(uint64_t /*first*/, std::span<const float> rows, std::string& out) override {
    out += as_text(bytes_of(rows));
  }

  void finish(std::span<const float> norms, std::string& out) override {
    ++next_;  // skip the rows
    write_literals(out);
    out += as_text(bytes_of(norms));
  }

 private:
  void write_literals(std::string& out) {
    for (; next_ < pieces_.size() && pieces_[next_].tensor == model::FilePiece::kLiteral; ++next_) {
      out += as_text(pieces_[next_].bytes);
      pieces_[next_].bytes = {};
    }
  }

  std::vector<model::FilePiece> pieces_;
  size_t next_ = 0;
};

class FastTextTarget final : public WordTarget {
 public:
  Result<void> begin(const WordFacts& facts, bool /*lossy*/, std::vector<Error>& /*warnings*/,
                     std::string& out) override {
    const model::Vocabulary& words = facts.words.words;
    for (size_t i = 0; i < words.size(); ++i) {
      if (fasttext::can_hold(words[i])) continue;
      return make_error(ErrorCode::Unsupported, {"vocabulary.words[", i, "]"},
                        "fastText cannot store a word that is empty, too long or has a zero byte");
    }
    AMBRY_TRY(const std::vector<uint8_t> head, fasttext::put_head(facts.words, facts.dims));
    total_bytes_ = head.size() + facts.words.n_rows() * facts.dims * sizeof(float);
    out += as_text(head);
    return {};
  }

  void add(uint64_t /*first*/, std::span<const float> rows, std::string& out) override {
    out += as_text(bytes_of(rows));
  }
};

template <wordvec::Form kForm>
class RecordTarget final : public WordTarget {
 public:
  Result<void> begin(const WordFacts& facts, bool lossy, std::vector<Error>& warnings,
                     std::string& out) override {
    words_ = &facts.words.words;
    dims_ = static_cast<size_t>(facts.dims);
    wordvec::Header header;
    header.dims = facts.dims;
    if (kForm == wordvec::Form::Floret) {
      AMBRY_RETURN_IF_ERROR(set_floret(facts.words, header));
    } else {
      AMBRY_TRY(header.rows, count_words(lossy, warnings));
    }
    const std::string text = wordvec::print_header(kForm, header);
    out += text;
    if (kForm == wordvec::Form::Word2Vec) {
      total_bytes_ = text.size() + word_bytes_ + header.rows * (2 + header.dims * sizeof(float));
    }
    return {};
  }

  void add(uint64_t first, std::span<const float> rows, std::string& out) override {
    for (size_t at = 0; at < rows.size(); at += dims_, ++first) {
      const std::span<const float> row = rows.subspan(at, dims_);
      if (kForm == wordvec::Form::Floret) {
        wordvec::append_record(kForm, concat({first}), row, out);
        continue;
      }
      const std::string_view word = (*words_)[static_cast<size_t>(first)];
      if (wordvec::can_hold(word)) wordvec::append_record(kForm, word, row, out);
    }
  }

 private:
  // Counts the words that the file can store. The others can only be left out.
  Result<uint64_t> count_words(bool lossy, std::vector<Error>& warnings) {
    constexpr uint64_t kNamed = 10;
    uint64_t n_refused = 0;
    for (size_t i = 0; i < words_->size(); ++i) {
      const std::string_view word = (*words_)[i];
      if (wordvec::can_hold(word)) {
        word_bytes_ += word.size();
        continue;
      }
      Failure problem =
          make_error(ErrorCode::Unsupported, {"vocabulary.words[", i, "]"},
                     {"\"", word.substr(0, 64), "\" is empty, has a space or is too long"});
      if (!lossy) return problem;
      if (++n_refused > kNamed) continue;
      problem->message += "; left out";
      warnings.push_back(std::move(problem));
    }
    if (n_refused > kNamed) {
      warnings.push_back(make_error(ErrorCode::Unsupported, "vocabulary.words",
                                    {n_refused, " words are left out in total"}));
    }
    return words_->size() - n_refused;
  }

  static Result<void> set_floret(const model::WordVocabulary& words, wordvec::Header& header) {
    const auto simple = [](const std::string& bracket) {
      return std::ranges::none_of(bracket, [](char c) { return c == ' ' || c == '\n'; });
    };
    if (!simple(words.bow) || !simple(words.eow)) {
      return make_error(ErrorCode::Unsupported, "vocabulary.bow",
                        "floret files cannot store brackets with a space or a line break");
    }
    header.rows = words.n_buckets;
    header.min_n = words.min_n;
    header.max_n = words.max_n;
    header.n_hashes = words.n_hashes;
    header.seed = words.seed;
    header.bow = words.bow;
    header.eow = words.eow;
    return {};
  }

  const model::Vocabulary* words_ = nullptr;
  size_t dims_ = 0;
  uint64_t word_bytes_ = 0;
};

template <class Target>
std::unique_ptr<WordTarget> make() {
  return std::make_unique<Target>();
}

template <WordVocabularyKind... kKinds>
bool one_of(WordVocabularyKind kind) {
  return ((kind == kKinds) || ...);
}

constexpr auto kWordsOnly = one_of<WordVocabularyKind::Simple>;

constexpr std::array kKinds = {
    WordTargetKind{"finalfusion", make<FinalfusionTarget>, [](WordVocabularyKind) { return true; },
                   WordTargetKind::Lengths::Unit, true},
    WordTargetKind{"fasttext", make<FastTextTarget>,
                   one_of<WordVocabularyKind::Simple, WordVocabularyKind::FastText>,
                   WordTargetKind::Lengths::Trained},
    WordTargetKind{"floret", make<RecordTarget<wordvec::Form::Floret>>,
                   one_of<WordVocabularyKind::Floret>},
    WordTargetKind{"word2vec", make<RecordTarget<wordvec::Form::Word2Vec>>, kWordsOnly},
    WordTargetKind{"text", make<RecordTarget<wordvec::Form::Text>>, kWordsOnly},
    WordTargetKind{"textdims", make<RecordTarget<wordvec::Form::TextDims>>, kWordsOnly},
};

}  // namespace

const WordTargetKind& word_target_kind(std::string_view id) {
  const auto* kind = std::ranges::find(kKinds, id, &WordTargetKind::id);
  assert(kind != kKinds.end());
  return *kind;
}

}  // namespace ambry::convert
