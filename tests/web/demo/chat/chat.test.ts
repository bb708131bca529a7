// What the chat page works out before it draws: tokens and their chances, settings, runs and how they ended.
import type { GeneratedToken, GenerateOptions, Generation, Model } from 'ambry';
import { describe, expect, it } from 'vitest';
import { write } from '../../../../web/demo/chat/generate.ts';
import { canGoOn, lineOf } from '../../../../web/demo/chat/outcome-view.ts';
import {
  defaultSampling,
  largestWhole,
  memoryFor,
  openOptionsOf,
  optionsOf,
  stopsOf,
  wholeModel,
} from '../../../../web/demo/chat/settings.ts';
import type { LoadedModel, Outcome } from '../../../../web/demo/chat/state.ts';
import { chancesOf, sentenceOf, textOf, visible } from '../../../../web/demo/chat/tokens.ts';

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
  it('shows its white space, and that it has no text of its own', () => {
    expect([' fox', '\n\t', ''].map(visible)).toEqual(['␣fox', '↵⇥', '∅']);
  });

  it('is read in the spelling of its vocabulary', () => {
    expect(['Ġfox', 'Ċ', '▁fox', 'ÃĹ', 'é', 'ĠÐ'].map(textOf)).toEqual([
      ' fox',
      '\n',
      ' fox',
      '×',
      'é',
      'ĠÐ',
    ]);
  });

  it('stands after the likeliest ones where it is none of them', () => {
    expect(chancesOf(fox).map(({ text, drawn }) => [text, drawn])).toEqual([
      [' bear', false],
      ['\n', false],
      [' fox', true],
    ]);
    expect(chancesOf(fox).map(({ probability }) => probability)).toEqual([
      expect.closeTo(0.5),
      expect.closeTo(0.25),
      0.02,
    ]);
  });

  it('keeps its place among the likeliest', () => {
    const bear = { ...fox, id: 9, text: ' bear', probability: 0.5 };
    expect(chancesOf(bear).map(({ id, drawn }) => [id, drawn])).toEqual([
      [9, true],
      [4, false],
    ]);
  });

  it('is told in a sentence, the drawn one first', () => {
    expect(sentenceOf(fox)).toBe('“␣fox” 2.0 %. Instead: “␣bear” 50.0 %, “↵” 25.0 %.');
    expect(sentenceOf({ index: 0, id: 1, text: 'a' })).toBe('');
  });
});

describe('settings', () => {
  it('have a stop text a line, whose spaces count', () => {
    expect(stopsOf('\n The end\n\\n\\n\n')).toEqual([' The end', '\n\n']);
    expect(stopsOf('')).toEqual([]);
  });

  it('become options without what only the page knows', () => {
    const options = optionsOf({ ...defaultSampling, seed: 5 });
    expect(options).toMatchObject({ seed: 5, temperature: 0.8, maxTokens: 200 });
    expect(options).not.toHaveProperty('newSeed');
    expect(options.logprobs).toBeGreaterThan(0);
  });

  it('hold a large file in part, unless somebody chose how much', () => {
    expect(memoryFor(wholeModel, largestWhole)).toBe(wholeModel);
    expect(memoryFor(wholeModel, largestWhole + 1)).toEqual({ resident: 5e8, kv: 'f32' });
    const chosen = { resident: 1e8, kv: 'f16' } as const;
    expect(memoryFor(chosen, 1e11)).toBe(chosen);
  });

  it('ask for all weights by not asking', () => {
    expect(openOptionsOf(wholeModel)).toEqual({ mode: 'generator', kv: 'f32' });
    expect(openOptionsOf({ resident: 1e8, kv: 'f16' })).toEqual({
      mode: 'generator',
      kv: 'f16',
      resident: 1e8,
    });
  });
});

describe('how a run ended', () => {
  const outcome = { stop: 'length', tokens: 1200, tokensPerSecond: 1234.5, ids: [1, 2] } as const;
  const loaded = { generator: { context: 4 } } as LoadedModel;

  it('is said with its speed, where that is known', () => {
    expect(lineOf(outcome)).toBe('It is as long as was asked for: 1,200 tokens, 1,235 tokens/s.');
    const slow = { stop: 'eos', tokens: 1, tokensPerSecond: 0.0312, ids: [] } as const;
    expect(lineOf(slow)).toBe('The model ended it: 1 token, 0.031 tokens/s.');
    expect(lineOf({ ...slow, stop: 'left', tokensPerSecond: 0 })).toBe('Stopped: 1 token.');
  });

  it('tells whether the model can go on', () => {
    const goesOn = (changes: Partial<Outcome>) => canGoOn({ ...outcome, ...changes }, loaded);
    expect(goesOn({})).toBe(true);
    expect(goesOn({ stop: 'left' })).toBe(true);
    expect(goesOn({ stop: 'eos' })).toBe(false);
    expect(goesOn({ stop: 'stop' })).toBe(false);
    expect(goesOn({ ids: [] })).toBe(false);
    expect(goesOn({ ids: [1, 2, 3, 4] })).toBe(false);
  });
});

/** A model that makes these tokens; with `stuck` it then waits until it is cut off. */
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

  it('tells all tokens at its end, and the ids to go on from', async () => {
    const told: string[][] = [];
    const outcome = await write(modelOf(['a', 'b', 'c']), 'x', {}, never, (tokens) => {
      told.push(tokens.map(({ text }) => text));
    });
    expect(told.at(-1)).toEqual(['a', 'b', 'c']);
    expect(outcome).toEqual({ stop: 'eos', tokens: 3, tokensPerSecond: 10, ids: [50, 0, 1, 2] });
  });

  it('that is left keeps what it wrote and can go on', async () => {
    const leaving = new AbortController();
    let last = '';
    const outcome = await write(modelOf(['a', 'b', 'c']), 'x', {}, leaving.signal, (tokens) => {
      last = tokens.map(({ text }) => text).join('');
      leaving.abort();
    });
    expect(last).toBe('a');
    expect(outcome).toMatchObject({ stop: 'left', tokens: 1, ids: [50, 0] });
  });

  it('that is left while it makes no token is cut off', async () => {
    const leaving = new AbortController();
    const outcome = await write(modelOf(['a'], true), 'x', {}, leaving.signal, () => {
      leaving.abort();
    });
    expect(outcome).toEqual({ stop: 'left', tokens: 1, tokensPerSecond: 0, ids: [] });
  });

  it('that fails says why', async () => {
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
    await expect(write(model, 'x', {}, never, () => undefined)).rejects.toThrow('out of memory');
  });
});
