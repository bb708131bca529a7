#include "convert/decoder/llama2c.h"

#include <bit>
#include <string>
#include <utility>

#include "base/checked.h"
#include "base/utf8.h"
#include "convert/decoder/sentencepiece_file.h"
#include "convert/import/llama2c_layout.h"
#include "formats/huggingface/side_files/file_values.h"
#include "io/byte_reader.h"

namespace ambry::convert {
namespace {

using io::Json;

Json config_of(const Llama2cHead& head) {
  Json config = Json::object();
  config.append_member("architecture", "llama");
  config.append_member("n_vocab", head.vocab);
  config.append_member("n_embd", head.dim);
  config.append_member("n_layers", head.layers);
  config.append_member("n_heads", head.heads);
  config.append_member("n_kv_heads", head.kv_heads);
  config.append_member("n_ff", head.hidden);
  config.append_member("head_dim", head.head_dim());
  config.append_member("max_seq_len", head.positions);
  config.append_member("norm_eps", 1e-5);
  config.append_member("rope_freq_base", 10'000);
  config.append_member("rope_style", "interleaved");
  config.append_member("tie_word_embeddings", !head.own_output);
  return config;
}

// The tokens for the ends of a text are stored between line breaks.
std::string_view without_breaks(std::string_view token) {
  const bool marked = token.size() > 2 && token.starts_with("\n<") && token.ends_with(">\n");
  return marked ? token.substr(1, token.size() - 2) : token;
}

Result<model::TokenizerData> read_tokenizer(std::string_view text, uint32_t n_tokens) {
  const io::MemorySource source(as_bytes(text));
  io::ByteReader reader(source, 0);
  const auto scope = reader.enter(kLlama2cTokenizer);
  AMBRY_RETURN_IF_ERROR(reader.read<int32_t>("max_token_length"));
  AMBRY_RETURN_IF_ERROR(reader.check_count(n_tokens, 8, "vocab_size", 0));
  model::TokenizerData tokenizer;
  tokenizer.kind = model::TokenizerKind::SentencePieceBpe;
  tokenizer.unk_id = 0;
  tokenizer.bos_id = 1;
  tokenizer.eos_id = 2;
  for (uint32_t id = 0; id < n_tokens; ++id) {
    const auto token_scope = reader.enter("tokens", id);
    AMBRY_TRY(const auto score, reader.read<uint32_t>("score"));
    const uint64_t at = reader.position();
    AMBRY_TRY(const auto length, reader.read<int32_t>("length"));
    if (length <= 0 || static_cast<uint32_t>(length) > reader.remaining()) {
      return reader.fail(ErrorCode::BadValue, at, "length",
                         "the length is not positive or passes the end of the file");
    }
    AMBRY_TRY(const auto piece, reader.read_utf8(static_cast<uint64_t>(length), "text"));
    tokenizer.vocabulary.push_back(without_breaks(piece));
    tokenizer.scores.push_back(std::bit_cast<float>(score));
  }
  AMBRY_RETURN_IF_ERROR(reader.expect_end());
  AMBRY_RETURN_IF_ERROR(add_sentencepiece_file(tokenizer));
  return tokenizer;
}

}  // namespace

Result<SourceModel> read_llama2c(const SourceFiles& sources) {
  const io::Source& main = sources.main();
  AMBRY_TRY(const Llama2cHead head, read_llama2c_head(main));
  Llama2cTensors layout = llama2c_tensors(head);
  if (layout.end != main.size()) {
    return error_at(ErrorCode::Mismatch, 0, "header",
                    {"the file has ", main.size(), " bytes, its head says ", layout.end});
  }
  SourceModel source;
  source.model.config = config_of(head);
  source.model.metadata.set("name", "model");
  source.model.tensors = std::move(layout.tensors);
  for (auto& [codes, scales] : layout.scales) {
    source.scales.emplace(codes, Input{std::move(scales), 0});
  }
  const std::string* tokenizer = sources.side().find(kLlama2cTokenizer);
  if (tokenizer == nullptr) return source;
  AMBRY_RETURN_IF_ERROR(formats::huggingface::refuse_pointer(sources.side(), kLlama2cTokenizer));
  AMBRY_TRY(source.model.tokenizer, read_tokenizer(*tokenizer, head.vocab));
  Json options = Json::object();
  options.set("add_bos", true);
  source.model.config.set("tokenizer", std::move(options));
  return source;
}

}  // namespace ambry::convert
