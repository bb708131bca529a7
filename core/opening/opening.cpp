#include "opening/opening.h"

#include <algorithm>

#include "base/bytes.h"

namespace ambry::opening {

using formats::OpeningRow;

std::string_view format_for(Runs runs) {
  switch (runs) {
    case Runs::Encoder:
    case Runs::Reranker:
    case Runs::TextClassifier:
    case Runs::TokenClassifier:
    case Runs::QuestionAnswering:
    case Runs::FillMask:
    case Runs::SparseEncoder:
      return "embd";
    case Runs::Decoder:
      return "amb";
    case Runs::Words:
      return "finalfusion";
    case Runs::ImageClassifier:
      return "tinyruntime";
    default:  // files of other kinds are not made
      return {};
  }
}

std::optional<Opening> opening_of_head(std::string_view head, Runs wanted) {
  const OpeningRow* const row = formats::find_row(formats::opening_rows(), head);
  if (row == nullptr) return std::nullopt;
  if (wanted == Runs::Nothing || wanted == row->runs)
    return Opening{row->runs, row->converts, row->code};
  // A language model that makes embeddings is an encoder, and runs as language models do.
  if (wanted == Runs::Encoder && row->runs == Runs::Decoder) return Opening{row->runs};
  // So are a text classifier that fastText did not make, and models with another head.
  const bool may_have_head = row->runs == Runs::Encoder || row->runs == Runs::Nothing;
  if (format_for(wanted) == format_for(Runs::Encoder) && may_have_head) {
    return Opening{Runs::Encoder, row->converts, row->code};
  }
  return Opening{wanted, row->converts || wanted == row->also};
}

Result<Opening> opening_of(const io::Source& source, const formats::Format& format) {
  const uint64_t size = std::min(source.size(), formats::kHeadBytes);
  AMBRY_TRY(const Bytes head, source.view(0, size, "file"));
  const OpeningRow* const row = formats::find_row(formats::other_kind_rows(), as_text(head));
  if (row != nullptr) return Opening{row->runs, row->converts};
  return Opening{format.runs, format.runs == Runs::Nothing};
}

}  // namespace ambry::opening
