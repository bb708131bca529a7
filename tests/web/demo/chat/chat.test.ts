// The parts of the chat page that need no page: tokens, settings, and runs of the model.
import type { GeneratedToken, GenerateOptions, Generation, Model } from 'ambry';
import { describe, expect, it } from 'vitest';
import { runModel } from '../../../../web/demo/chat/generate.ts';
import { canContinue, lineOf } from '../../../../web/demo/chat/outcome-view.ts';
import {
  defaultSampling,
  maxWholeBytes,
  memoryFor,
  openOptionsOf,
  optionsOf,
  stopsOf,
  wholeModel,
} from '../../../../web/demo/chat/settings.ts';
import type { LoadedModel, Outcome } from '../../../../web/demo/chat/state.ts';
import { candidatesOf, sentenceOf, textOf, visible } from '../../../../web/demo/chat/tokens.ts';

const other = (id: number, token: string, probability: number) => ({
  id,
  token,
  logprob: Math.log(probability),
});

const fox: GeneratedToken = {
  index: 3,
  id: 7,
  text: ' fox',
  probability: 0.02,
  top: [other(9, 'Ġbear', 0.5), other(4, 'Ċ', 0.25)],
};

describe('a token', () => {
  it('is shown with visible white space, and with a sign if it is empty', () => {
    expect([' fox', '\n\t', ''].map(visible)).toEqual(['␣fox', '↵⇥', '∅']);
  });

  it('is decoded from the spelling of the vocabulary', () => {
    expect(['Ġfox', 'Ċ', '▁fox', 'ÃĹ', 'é', 'ĠÐ'].map(textOf)).toEqual([
      ' fox',
      '\n',
      ' fox',
      '×',
      'é',
      'ĠÐ',
    ]);
  });

  it('is added to the candidates if it is not one of them', () => {
    expect(candidatesOf(fox).map(({ text, sampled }) => [text, sampled])).toEqual([
      [' bear', false],
      ['\n', false],
      [' fox', true],
    ]);
    expect(candidatesOf(fox).map(({ probability }) => probability)).toEqual([
      expect.closeTo(0.5),
      expect.closeTo(0.25),
      0.02,
    ]);
  });

  it('keeps its position among the candidates', () => {
    const bear = { ...fox, id: 9, text: ' bear', probability: 0.5 };
    expect(candidatesOf(bear).map(({ id, sampled }) => [id, sampled])).toEqual([
      [9, true],
      [4, false],
    ]);
  });

  it('is described in a sentence before its alternatives', () => {
    expect(sentenceOf(fox)).toBe('“␣fox” 2.0 %. Alternatives: “␣bear” 50.0 %, “↵” 25.0 %.');
    expect(sentenceOf({ index: 0, id: 1, text: 'a' })).toBe('');
  });
});

describe('settings', () => {
  it('have one stop text per line, with its spaces', () => {
    expect(stopsOf('\n The end\n\\n\\n\n')).toEqual([' The end', '\n\n']);
    expect(stopsOf('')).toEqual([]);
  });

  it('become options of the package, without settings of the page', () => {
    const options = optionsOf({ ...defaultSampling, seed: 5 });
    expect(options).toMatchObject({ seed: 5, temperature: 0.8, maxTokens: 200 });
    expect(options).not.toHaveProperty('newSeed');
    expect(options.logprobs).toBeGreaterThan(0);
  });

  it('limit the memory for a large file, unless the user set a limit', () => {
    expect(memoryFor(wholeModel, maxWholeBytes)).toBe(wholeModel);
    expect(memoryFor(wholeModel, maxWholeBytes + 1)).toEqual({ resident: 5e8, kv: 'f32' });
    const chosen = { resident: 1e8, kv: 'f16' } as const;
    expect(memoryFor(chosen, 1e11)).toBe(chosen);
  });

  it('set no limit for all weights', () => {
    expect(openOptionsOf(wholeModel)).toEqual({ mode: 'generator', kv: 'f32' });
    expect(openOptionsOf({ resident: 1e8, kv: 'f16' })).toEqual({
      mode: 'generator',
      kv: 'f16',
      resident: 1e8,
    });
  });
});

describe('the end of a run', () => {
  const outcome = { stop: 'length', tokens: 1200, tokensPerSecond: 1234.5, ids: [1, 2] } as const;
  const loaded = { generator: { context: 4 } } as LoadedModel;

  it('is described with its speed, if that is known', () => {
    expect(lineOf(outcome)).toBe('The token limit was reached: 1,200 tokens, 1,235 tokens/s.');
    const slow = { stop: 'eos', tokens: 1, tokensPerSecond: 0.0312, ids: [] } as const;
    expect(lineOf(slow)).toBe('The model ended the text: 1 token, 0.031 tokens/s.');
    expect(lineOf({ ...slow, stop: 'left', tokensPerSecond: 0 })).toBe('Stopped: 1 token.');
  });

  it('decides whether the model can continue', () => {
    const continues = (changes: Partial<Outcome>) =>
      canContinue({ ...outcome, ...changes }, loaded);
    expect(continues({})).toBe(true);
    expect(continues({ stop: 'left' })).toBe(true);
    expect(continues({ stop: 'eos' })).toBe(false);
    expect(continues({ stop: 'stop' })).toBe(false);
    expect(continues({ ids: [] })).toBe(false);
    expect(continues({ ids: [1, 2, 3, 4] })).toBe(false);
  });
});

/** A model that makes these tokens. If `stuck`, it then waits until it is aborted. */
function modelOf(texts: readonly string[], stuck = false): Model {
  function generate(_: unknown, { signal }: GenerateOptions) {
    const ids: number[] = [];
    let end: (result: Generation) => void = () => undefined;
    const result = new Promise<Generation>((resolve) => {
      end = resolve;
    });
    async function* tokens(): AsyncGenerator<GeneratedToken> {
      let stop: Generation['stop'] = 'left';
      try {
        for (const [index, text] of texts.entries()) {
          ids.push(index);
          yield { index, id: index, text };
        }
        if (stuck) {
          await new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
          });
        }
        stop = 'eos';
      } finally {
        end({ stop, ids, promptIds: [50], tokensPerSecond: 10 } as unknown as Generation);
      }
    }
    return Object.assign(tokens(), { result });
  }
  return { generate } as unknown as Model;
}

describe('a run', () => {
  const never = new AbortController().signal;

  it('reports all tokens at its end, and the ids to continue from', async () => {
    const reported: string[][] = [];
    const outcome = await runModel(modelOf(['a', 'b', 'c']), 'x', {}, never, (tokens) => {
      reported.push(tokens.map(({ text }) => text));
    });
    expect(reported.at(-1)).toEqual(['a', 'b', 'c']);
    expect(outcome).toEqual({ stop: 'eos', tokens: 3, tokensPerSecond: 10, ids: [50, 0, 1, 2] });
  });

  it('that is stopped keeps its text and can be continued', async () => {
    const stopping = new AbortController();
    let last = '';
    const outcome = await runModel(modelOf(['a', 'b', 'c']), 'x', {}, stopping.signal, (tokens) => {
      last = tokens.map(({ text }) => text).join('');
      stopping.abort();
    });
    expect(last).toBe('a');
    expect(outcome).toMatchObject({ stop: 'left', tokens: 1, ids: [50, 0] });
  });

  it('that is stopped while it makes no token is aborted', async () => {
    const stopping = new AbortController();
    const outcome = await runModel(modelOf(['a'], true), 'x', {}, stopping.signal, () => {
      stopping.abort();
    });
    expect(outcome).toEqual({ stop: 'left', tokens: 1, tokensPerSecond: 0, ids: [] });
  });

  it('that fails throws the error', async () => {
    const model = {
      generate() {
        const failed = Promise.reject(new Error('out of memory'));
        failed.catch(() => undefined);
        return Object.assign(
          (async function* () {
            yield* [];
            await failed;
          })(),
          { result: failed },
        );
      },
    } as unknown as Model;
    await expect(runModel(model, 'x', {}, never, () => undefined)).rejects.toThrow('out of memory');
  });
});
