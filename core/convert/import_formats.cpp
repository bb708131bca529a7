#include "convert/import_formats.h"

#include <array>

#include "convert/decoder/llama2c.h"
#include "formats/fasttext/parse.h"
#include "formats/wordvec/probe.h"

namespace ambry::convert {
namespace {

using formats::wordvec::Form;

// Those without a magic come last, the one whose beginning says least at the end.
constexpr std::array kOrigins = {
    Origin{"fasttext", formats::fasttext::probe},
    Origin{"llama2c", probe_llama2c},
    Origin{"floret", formats::wordvec::probe<Form::Floret>},
    Origin{"word2vec", formats::wordvec::probe<Form::Word2Vec>},
    Origin{"textdims", formats::wordvec::probe<Form::TextDims>},
    Origin{"text", formats::wordvec::probe<Form::Text>},
};

}  // namespace

std::span<const Origin> origins() { return kOrigins; }

}  // namespace ambry::convert
