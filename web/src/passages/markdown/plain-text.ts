// The text of inline tokens without markup: the text of a link, the alternative text of an image.
import type { Token } from 'marked';
import { decodeEntities } from '../html/html.ts';

export function plainText(tokens: readonly Token[]): string {
  let text = '';
  for (const token of tokens) {
    text += textOf(token);
  }
  return text;
}

/** One token in place of all those of a text, which would take many times its memory. */
export function plainToken(tokens: readonly Token[]): Token {
  return { type: plainType, raw: '', text: plainText(tokens) };
}

const plainType = 'plain';

function textOf(token: Token): string {
  if (token.type === 'br') {
    return '\n';
  }
  if (token.type === 'checkbox') {
    return '';
  }
  if (token.type === 'html') {
    return /^<br\b/i.test(token.raw) ? '\n' : '';
  }
  if ('tokens' in token && token.tokens && token.type !== 'image') {
    return plainText(token.tokens);
  }
  const text = 'text' in token ? String(token.text) : token.raw;
  const isDecoded = token.type === 'codespan' || token.type === plainType;
  return !isDecoded && text.includes('&') ? decodeEntities(text) : text;
}
