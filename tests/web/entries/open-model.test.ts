import { describe, expect, test } from 'vitest';
import { OpenModel } from '../../../web/src/entries/handlers/open-model.ts';
import type { OpenedModel } from '../../../web/src/model/protocol.ts';
import type { Loader } from '../../../web/src/model/worker-open.ts';

/** A feature whose calls answer with its name. */
function feature(name: string, calls: readonly string[], loads = true) {
  const load = async () => {
    if (!loads) {
      throw new Error('not loaded');
    }
    return { kind: 'encoder' } as OpenedModel;
  };
  const loader: Loader = { prepare: async () => {}, load, loadRanged: load };
  const handlers = Object.fromEntries(calls.map((call) => [call, async () => name]));
  return { loader, handlers };
}

const encoder = feature('encoder', ['embed', 'tokenize', 'score']);
const words = feature('words', ['embed', 'similar']);
const broken = feature('broken', ['embed'], false);

function serve() {
  const open = new OpenModel();
  const calls = open.handlersOf([encoder, words, broken].map(({ handlers }) => handlers));
  const call = (name: string) => calls[name]?.(null as never, null as never);
  return { open, calls, call };
}

describe('the open model', () => {
  test('takes the calls that it has, from then on', async () => {
    const { open, call } = serve();
    await open.loaderOf(words).load(null as never, null as never, null as never);
    expect(await call('embed')).toBe('words');
    expect(await call('similar')).toBe('words');
    expect(await call('tokenize')).toBe('encoder');
  });

  test('takes them when its parts are read on demand, too', async () => {
    const { open, call } = serve();
    await open.loaderOf(words).loadRanged?.(null as never, null as never);
    expect(await call('embed')).toBe('words');
  });

  test('leaves them to the first feature while none is open', async () => {
    const { open, calls, call } = serve();
    expect(await call('embed')).toBe('encoder');
    const load = open.loaderOf(broken).load(null as never, null as never, null as never);
    await expect(load).rejects.toThrow('not loaded');
    expect(await call('embed')).toBe('encoder');
    expect(Object.keys(calls).sort()).toEqual(['embed', 'score', 'similar', 'tokenize']);
  });

  test('can be a tokenizer, which no loader opens', async () => {
    const { open, call } = serve();
    open.serveWith({ tokenize: async () => 'tokenizer' });
    expect(await call('tokenize')).toBe('tokenizer');
  });
});
