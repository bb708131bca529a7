#include "formats/wordvec/wordvec_write.h"

#include <algorithm>

#include "base/bytes.h"
#include "io/number/print_float.h"

namespace ambry::formats::wordvec {

bool can_hold(std::string_view word) {
  return !word.empty() && word.size() <= kMaxWordBytes && std::ranges::none_of(word, is_space);
}

void append_record(Form form, std::string_view word, std::span<const float> values,
                   std::string& out) {
  out += word;
  if (form == Form::Word2Vec) {
    out += ' ';
    out += as_text(bytes_of(values));
  } else {
    for (const float value : values) {
      out += ' ';
      io::append_float(out, value);
    }
  }
  out += '\n';
}

}  // namespace ambry::formats::wordvec
