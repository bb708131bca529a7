// The parts of the chat page that need no page: tokens, settings, and runs of the model.
import type { GeneratedToken, Generation, GenerationRun } from 'ambry';
import { describe, expect, it } from 'vitest';
import { canContinue, lineOf } from '../../../../web/demo/chat/panels/outcome-view.ts';
import { runModel, type StartRun } from '../../../../web/demo/chat/run/generate.ts';
import {
  defaultSampling,
  maxWholeBytes,
  memoryFor,
  openOptionsOf,
  optionsOf,
  stopsOf,
  wholeModel,
} from '../../../../web/demo/chat/state/settings.ts';
import type { LoadedModel, Outcome } from '../../../../web/demo/chat/state/state.ts';
import {
  candidatesOf,
  sentenceOf,
  textOf,
  visible,
} from '../../../../web/demo/chat/tokens/tokens.ts';

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
    expect(openOptionsOf(wholeModel)).toEqual({ kind: 'generator', kv: 'f32' });
    expect(openOptionsOf({ resident: 1e8, kv: 'f16' })).toEqual({
      kind: 'generator',
      kv: 'f16',
      resident: 1e8,
    });
  });
});

describe('the end of a run', () => {
  const outcome = {
    stoppedBy: 'length',
    tokens: 1200,
    tokensPerSecond: 1234.5,
    firstTokenMs: 20,
    ids: [1, 2],
  } as const;
  const loaded = { generator: { context: 4 } } as LoadedModel;

  it('is described with its speed, if that is known', () => {
    expect(lineOf(outcome)).toBe('The token limit was reached: 1,200 tokens, 1,235 tokens/s.');
    const slow = {
      stoppedBy: 'eos',
      tokens: 1,
      tokensPerSecond: 0.0312,
      firstTokenMs: null,
      ids: [],
    } as const;
    expect(lineOf(slow)).toBe('The model ended the text: 1 token, 0.031 tokens/s.');
    expect(lineOf({ ...slow, stoppedBy: 'left', tokensPerSecond: 0 })).toBe('Stopped: 1 token.');
  });

  it('decides whether the model can continue', () => {
    const continues = (changes: Partial<Outcome>) =>
      canContinue({ ...outcome, ...changes }, loaded);
    expect(continues({})).toBe(true);
    expect(continues({ stoppedBy: 'left' })).toBe(true);
    expect(continues({ stoppedBy: 'eos' })).toBe(false);
    expect(continues({ stoppedBy: 'stop' })).toBe(false);
    expect(continues({ ids: [] })).toBe(false);
    expect(continues({ ids: [1, 2, 3, 4] })).toBe(false);
  });
});

/** Begins an answer of these tokens. If `stuck`, it then waits until it is aborted. `ahead`: tokens that the model has
 *  made when the loop is left. */
function runOf(texts: readonly string[], { stuck = false, ahead = 0 } = {}): StartRun {
  return (signal) => {
    let made = 0;
    let end: (result: Generation) => void = () => undefined;
    const result = new Promise<Generation>((resolve) => {
      end = resolve;
    });
    async function* tokens(): AsyncGenerator<GeneratedToken> {
      let stoppedBy: Generation['stoppedBy'] = 'left';
      try {
        for (const [index, text] of texts.entries()) {
          made = index + 1;
          yield { index, id: index, text };
        }
        if (stuck) {
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        }
        stoppedBy = 'eos';
      } finally {
        const all = texts.slice(0, made + ahead);
        const ids = [...all.keys()];
        const rest = { promptIds: [50], tokensPerSecond: 10 };
        end({
          stoppedBy,
          ids,
          text: all.join(''),
          reasoning: '',
          ...rest,
        } as unknown as Generation);
      }
    }
    return Object.assign(tokens(), { result }) as unknown as GenerationRun;
  };
}

describe('a run', () => {
  const never = new AbortController().signal;

  it('reports all tokens at its end, and the ids to continue from', async () => {
    const { outcome, tokens } = await runModel(runOf(['a', 'b', 'c']), never, () => undefined);
    expect(tokens.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(outcome).toMatchObject({ stoppedBy: 'eos', tokens: 3, tokensPerSecond: 10 });
    expect(outcome.ids).toEqual([50, 0, 1, 2]);
    expect(outcome.firstTokenMs).toBeGreaterThanOrEqual(0);
  });

  it('that is stopped keeps all that the model wrote, and can be continued', async () => {
    const stopping = new AbortController();
    const start = runOf(['a', 'b', 'c', 'd'], { ahead: 2 });
    const stop = () => stopping.abort();
    const { outcome, tokens } = await runModel(start, stopping.signal, stop);
    expect(tokens.map(({ text }) => text)).toEqual(['a', 'b', 'cd']);
    expect(outcome).toMatchObject({ stoppedBy: 'left', tokens: 4, ids: [50, 0, 1, 2, 3] });
  });

  it('that is stopped while it makes no token is aborted', async () => {
    const stopping = new AbortController();
    const start = runOf(['a'], { stuck: true });
    const { outcome, tokens } = await runModel(start, stopping.signal, () => stopping.abort());
    expect(tokens).toHaveLength(1);
    expect(outcome).toMatchObject({ stoppedBy: 'left', tokens: 1, tokensPerSecond: 0, ids: [] });
  });

  it('that fails throws the error', async () => {
    const start: StartRun = () => Promise.reject(new Error('out of memory'));
    await expect(runModel(start, never, () => undefined)).rejects.toThrow('out of memory');
  });
});
