#include "formats/foreign_text.h"

#include <algorithm>
#include <array>

#include "base/concat.h"
#include "base/utf8.h"
#include "formats/foreign.h"

namespace ambry::formats {
namespace {

using namespace std::string_view_literals;

struct KnownJson {
  std::string_view key;  // including its quotes
  std::string_view name;
};

// In order: the first key that is present decides.
constexpr std::array kJson = {
    KnownJson{
        "\"weight_map\"",
        "the index of a safetensors model in several files: the weights are in the files that "
        "it names"},
    KnownJson{"\"modelTopology\"", "the model.json of a TensorFlow.js model"},
    KnownJson{"\"weightsManifest\"", "the model.json of a TensorFlow.js model"},
    KnownJson{"\"added_tokens\"", "a tokenizer.json, which holds no model"},
    KnownJson{"\"default_num_special_tokens\"",
              "a tekken.json (a tokenizer), which holds no model"},
    KnownJson{"\"tokenizer_class\"", "a tokenizer_config.json, which holds no model"},
    KnownJson{"\"model_type\"", "the config.json of a model: the weights are in a file beside it"},
    KnownJson{"\"architectures\"",
              "the config.json of a model: the weights are in a file beside it"},
    KnownJson{"\"class_name\"", "the configuration of a Keras model"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes an integer off the start of the text.
bool take_number(std::string_view& text) {
  const auto* end = std::ranges::find_if_not(text, is_digit);
  const auto length = static_cast<size_t>(end - text.begin());
  text.remove_prefix(length);
  return length > 0 && length <= 10;
}

// word2vec's first line: `3000000 300`.
bool starts_with_counts(std::string_view head) {
  if (!take_number(head) || !head.starts_with(' ')) return false;
  head.remove_prefix(1);
  if (!take_number(head)) return false;
  if (head.starts_with(' ')) head.remove_prefix(1);
  return head.starts_with('\n') || head.starts_with("\r\n");
}

bool looks_like_decimal(std::string_view word) {
  return !word.empty() && word.find('.') != std::string_view::npos &&
         word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

// A line of GloVe: a word and many decimal numbers.
bool is_line_of_decimals(std::string_view head) {
  std::string_view line = head.substr(0, head.find('\n'));
  size_t n_decimals = 0;
  for (size_t i = 0; i < 6; ++i) {
    const size_t space = line.find(' ');
    if (i > 0 && looks_like_decimal(line.substr(0, space))) ++n_decimals;
    if (space == std::string_view::npos) break;
    line.remove_prefix(space + 1);
  }
  return n_decimals >= 4;
}

// A line of tiktoken: a token in Base64, a space, and its rank.
bool is_line_of_tiktoken(std::string_view line) {
  const size_t space = line.find(' ');
  if (space == 0 || space == std::string_view::npos || space % 4 != 0) return false;
  const std::string_view rank = line.substr(space + 1);
  return !rank.empty() && rank.size() <= 7 && std::ranges::all_of(rank, is_digit) &&
         line.substr(0, space).find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
             "0123456789+/=") == std::string_view::npos;
}

// Text without a byte order mark: every second byte of Latin letters is zero.
bool looks_like_utf16(std::string_view head) {
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return true;
  if (head.size() < 16) return false;
  size_t even_zeros = 0;
  size_t odd_zeros = 0;
  for (size_t i = 0; i < 64 && i < head.size(); ++i) {
    const bool zero = head[i] == '\0';
    const bool printable = (head[i] >= ' ' && head[i] <= '~') || head[i] == '\n' || head[i] == '\r';
    if (!zero && !printable) return false;
    (i % 2 == 0 ? even_zeros : odd_zeros) += zero ? 1 : 0;
  }
  const size_t half = std::min<size_t>(64, head.size()) / 2;
  return (even_zeros == half && odd_zeros == 0) || (odd_zeros == half && even_zeros == 0);
}

// The head may end inside a character.
bool is_text(std::string_view head, uint64_t size) {
  const auto bad = find_invalid_utf8(head);
  if (bad && (size == head.size() || head.size() - *bad > 3)) return false;
  return std::ranges::none_of(head, [](char c) {
    return c >= '\0' && c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1B';
  });
}

std::string describe_json(std::string_view head) {
  for (const KnownJson& known : kJson) {
    if (head.find(known.key) != std::string_view::npos) return std::string(known.name);
  }
  return "JSON text";
}

}  // namespace

// Three lines, because one could be anything.
bool is_tiktoken(std::string_view head) {
  for (size_t i = 0; i < 3; ++i) {
    const size_t end = head.find('\n');
    if (end == std::string_view::npos) return false;
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!is_line_of_tiktoken(line)) return false;
    head.remove_prefix(end + 1);
  }
  return true;
}

std::string describe_foreign_text(std::string_view head, uint64_t size) {
  if (looks_like_utf16(head)) return "text in UTF-16: save it as UTF-8";
  const bool text = is_text(head, size);
  if (starts_with_counts(head)) {
    return text ? "word vectors in word2vec's text format"
                : "word vectors in word2vec's binary format";
  }
  if (!text) return {};
  std::string_view trimmed = head;
  if (trimmed.starts_with("\xEF\xBB\xBF")) trimmed.remove_prefix(3);
  trimmed.remove_prefix(std::min(trimmed.find_first_not_of(" \t\r\n"), trimmed.size()));
  // This comes before JSON, which may also start with a bracket.
  if (trimmed.starts_with("[PAD]")) return "a vocabulary (vocab.txt), which holds no model";
  if (starts_like_json(trimmed)) return describe_json(trimmed);
  if (std::string usual = describe_usual_mistake(trimmed); !usual.empty()) return usual;
  if (trimmed.starts_with("<?xml") || trimmed.starts_with("<svg")) return "XML text";
  if (trimmed.starts_with("#version: ")) return "merges of a tokenizer (merges.txt)";
  if (is_tiktoken(head)) {
    return "a tiktoken vocabulary (.tiktoken), which holds no model";
  }
  if (is_line_of_decimals(trimmed)) return "word vectors as text (GloVe)";
  return "plain text (of word vectors, name the format: --from, or convert())";
}

}  // namespace ambry::formats
