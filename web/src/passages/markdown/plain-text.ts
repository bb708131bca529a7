// The text of inline tokens without markup: the text of a link, the alternative text of an image.
import type { Token } from 'marked';
import { decodeEntities } from '../html/html.ts';
import { roleText, withoutLeadingAttributes, withoutRole, withoutSigns } from './dialects.ts';

/** Attributes in braces may stand behind these. */
const hasAttributes = new Set(['link', 'image', 'codespan', 'strong', 'em']);

export function plainText(tokens: readonly Token[]): string {
  let text = '';
  tokens.forEach((token, i) => {
    const before = tokens[i - 1];
    const mayHaveRole =
      token.type === 'codespan' && before?.type === 'text' && before.raw.endsWith('}');
    const role = mayHaveRole ? withoutRole(text) : undefined;
    if (role !== undefined) {
      text = role + roleText(textOf(token));
    } else if (token.type === 'text' && before !== undefined && hasAttributes.has(before.type)) {
      text += withoutLeadingAttributes(textOf(token));
    } else {
      text += textOf(token);
    }
  });
  return text;
}

/** One token in place of all those of a text, which would take many times its memory. */
export function plainToken(tokens: readonly Token[]): Token {
  return { type: plainType, raw: '', text: plainText(tokens) };
}

const plainType = 'plain';
/** The text of these is as it should be. */
const isCode = new Set(['codespan', 'formula', plainType]);

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
  if (isCode.has(token.type)) {
    return text;
  }
  const decoded = text.includes('&') ? decodeEntities(text) : text;
  return token.type === 'text' ? withoutSigns(decoded) : decoded;
}
