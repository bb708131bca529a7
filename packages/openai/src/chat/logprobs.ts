// The probabilities of tokens, as OpenAI's answers have them.
import type { GeneratedToken } from 'ambry';

export function chatLogprobs(tokens: readonly GeneratedToken[]) {
  return {
    content: tokens.map(({ text, bytes, logprob = 0, top = [] }) => ({
      ...tokenLogprob(text, bytes, logprob),
      top_logprobs: top.map((likely) => tokenLogprob(likely.token, likely.bytes, likely.logprob)),
    })),
    refusal: null,
  };
}

/** `spelled` is what is known of a token without bytes. */
function tokenLogprob(spelled: string, bytes: readonly number[] | undefined, logprob: number) {
  const known = bytes ?? [...new TextEncoder().encode(spelled)];
  return { token: textOf(known), logprob, bytes: known };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A part of a character is written byte by byte, as OpenAI does, so that different parts stay different. */
function textOf(bytes: readonly number[]): string {
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return `bytes:${bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`;
  }
}

/** `offset`: where the text of the first token begins. */
export function completionLogprobs(tokens: readonly GeneratedToken[], offset: number) {
  let at = offset;
  const offsets = tokens.map(({ text }) => {
    const begin = at;
    at += text.length;
    return begin;
  });
  return {
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logprob = 0 }) => logprob),
    top_logprobs: tokens.map(({ top = [] }) =>
      Object.fromEntries(
        top.map(({ token, bytes, logprob }) => [bytes ? textOf(bytes) : token, logprob]),
      ),
    ),
    text_offset: offsets,
  };
}
