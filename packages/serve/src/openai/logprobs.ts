// The probabilities of tokens, as OpenAI's answers have them.
import type { GeneratedToken } from 'ambry';

export function chatLogprobs(tokens: readonly GeneratedToken[]) {
  return {
    content: tokens.map(({ text, logprob = 0, top = [] }) => ({
      ...tokenLogprob(text, logprob),
      top_logprobs: top.map(({ token, logprob }) => tokenLogprob(token, logprob)),
    })),
    refusal: null,
  };
}

function tokenLogprob(token: string, logprob: number) {
  return { token, logprob, bytes: [...new TextEncoder().encode(token)] };
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
      Object.fromEntries(top.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  };
}
