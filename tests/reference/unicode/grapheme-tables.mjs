// Writes core/text/unicode/tables/grapheme_tables.{h,cpp}: how code points join into grapheme clusters, measured on the
// official Hugging Face library. Its normaliser Precompiled replaces a cluster of fewer than six bytes as a
// whole if the start of it is a key: "a" becomes X, and so does a cluster of it and what joins it.
// Usage: node tests/reference/unicode/grapheme-tables.mjs [--check]   (--check: fail if the files would change)
import tokenizers from 'tokenizers';
import { charsmap } from '../tokenizers/sentencepiece-models.mjs';
import { byteArray, pushVarint, writeTables } from './table-writer.mjs';

const limit = 0x110000;
const kinds = ['Other', 'Extend', 'Control', 'Prepend'];
const text = (c) => String.fromCodePoint(c);

function normalizer(keys) {
  const tokenizer = tokenizers.Tokenizer.fromString(
    JSON.stringify({
      version: '1.0',
      added_tokens: [],
      normalizer: {
        type: 'Precompiled',
        precompiled_charsmap: Buffer.from(charsmap(keys.map((key) => [key, 'X']))).toString(
          'base64',
        ),
      },
      model: { type: 'WordLevel', vocab: { X: 0 }, unk_token: 'X' },
    }),
  );
  const it = tokenizer.getNormalizer();
  return (s) => it.normalizeString(s);
}

function measure() {
  const kindOf = new Uint8Array(limit);
  const a = normalizer(['a']);
  const accent = normalizer(['\u0301']);
  for (let c = 0; c < limit; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) {
      continue;
    }
    const one = text(c);
    if (a(`a${one}`) === 'X') {
      kindOf[c] = kinds.indexOf('Extend');
    }
    // What cannot be marked leaves the two marks a cluster of their own.
    if (accent(`${one}\u0301\u0302`) === `${one}X`) {
      kindOf[c] = kinds.indexOf('Control');
    }
    if (a(`${one}a\u0301`).endsWith('\u0301')) {
      kindOf[c] = kinds.indexOf('Prepend');
    }
  }
  return kindOf;
}

function codeRuns(kindOf) {
  const bytes = [];
  let count = 0;
  for (let begin = 0, c = 1; c <= limit; ++c) {
    if (c < limit && kindOf[c] === kindOf[begin]) {
      continue;
    }
    pushVarint(bytes, (c - begin) * kinds.length + kindOf[begin]);
    count += 1;
    begin = c;
  }
  return { bytes, count };
}

const { bytes, count } = codeRuns(measure());
const made =
  '// Made by tests/reference/unicode/grapheme-tables.mjs from measurements; do not edit.';
const header = `${made}
// How code points join into grapheme clusters in Hugging Face tokenizers 0.23.2.
#pragma once

#include <cstdint>

namespace ambry::text::grapheme_data {

enum Kind : uint8_t { k${kinds.join(', k')} };

inline constexpr uint32_t kRunCount = ${count};
// varints, 4 * length + kind; the runs cover all code points from U+0000 on
extern const uint8_t kRuns[${bytes.length}];

}  // namespace ambry::text::grapheme_data
`;
const source = `${made}
#include "text/unicode/tables/grapheme_tables.h"

namespace ambry::text::grapheme_data {

// clang-format off
${byteArray('kRuns', bytes)}}  // namespace ambry::text::grapheme_data
`;
writeTables('grapheme_tables', header, source);
console.log(`${count} runs, ${bytes.length} bytes`);
