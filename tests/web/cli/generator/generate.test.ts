// `ambry generate` and `ambry perplexity`: their output, and what fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { visibleText } from '../../../../web/src/base/visible.ts';
import { cliArgs } from '../../support/cli/cli.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { chainFile } from '../../support/files/chain-file.ts';
import { beginId, languageFile } from '../../support/files/language-file.ts';
import { folderForAllTests } from '../../support/for-all-tests.ts';
import { smallModel } from '../../support/package.ts';

const folder = folderForAllTests('ambry');
let file: string;
beforeAll(async () => {
  file = join(folder, 'small.amb');
  await writeFile(file, languageFile({ context: 32_768 }));
});

const greedy = ['--temperature', '0', '--max-tokens', '10'];

interface Document {
  readonly prompt: string;
  readonly promptIds: readonly number[];
  readonly ids: readonly number[];
  readonly text: string;
  readonly stoppedBy: string;
}

async function document(...args: readonly string[]): Promise<Document> {
  const run = await ambryCli(['generate', file, ...args, '--json']);
  expect(run.err).toBe('');
  expect(run.code).toBe(0);
  return run.json()[0] as Document;
}

describe('ambry generate', () => {
  test('prints one document with --json', async () => {
    const made = await document('--prompt', 'Hello', ...greedy);
    expect(made.prompt).toBe('Hello');
    expect(made.promptIds).toEqual([beginId, ...Buffer.from('Hello')]);
    expect(made.ids).toHaveLength(10);
    expect(made.stoppedBy).toBe('length');
  });

  test('prints the answer and a line break', async () => {
    const { text } = await document('--prompt', 'Hello', ...greedy);
    const run = await ambryCli(['generate', file, '--prompt', 'Hello', ...greedy]);
    expect(run).toMatchObject({ code: 0, out: `${visibleText(text)}\n`, err: '' });
    const piped = await ambryCli(['generate', file, '--prompt', '-', ...greedy], 'Hello');
    expect(piped.out).toBe(run.out);
  });

  test('the same seed gives the same answer', async () => {
    const args = ['--prompt', 'a', '--seed', '5', '--temperature', '1.2', '--top-p', '1'];
    const made = await document(...args, '--max-tokens', '12');
    expect((await document(...args, '--max-tokens', '12')).ids).toEqual(made.ids);
  });

  test('-n gives several answers', async () => {
    const args = ['generate', file, '--prompt', 'a', '--seed', '5', '--max-tokens', '4'];
    args.push('-n', '2', '--ignore-eos', '--top-k', '9');
    const run = await ambryCli([...args, '--json', '--logprobs', '1']);
    const found = run.json() as (Document & {
      readonly seed: number;
      readonly tokens: unknown[];
    })[];
    expect(found.map(({ seed, tokens }) => [seed, tokens.length])).toEqual([
      [5, 4],
      [6, 4],
    ]);
    const printed = await ambryCli(args);
    expect(printed.out).toBe(`${visibleText(found.map(({ text }) => text).join('\n\n'))}\n`);
  });

  test('--batch answers each line', async () => {
    const lines = join(folder, 'prompts.txt');
    await writeFile(lines, 'one\ntwo\n\nthree\n');
    const more = [...greedy, '--ignore-eos'];
    const args = ['generate', file, ...more, '--batch-size', '2'];
    const found = (await ambryCli([...args, '--batch', lines, '--json'])).json() as Document[];
    expect(found.map(({ prompt }) => prompt)).toEqual(['one', 'two', '', 'three']);
    for (const { prompt, ids } of found) {
      expect((await document('--prompt', prompt, ...more)).ids).toEqual(ids);
    }
    const printed = await ambryCli([...args, '--batch', '-'], 'one\ntwo\n\nthree');
    expect(printed.out).toBe(`${visibleText(found.map(({ text }) => text).join('\n\n'))}\n`);
  });

  test('--prompt-lookup-num-tokens changes no answer', async () => {
    const args = ['--prompt', 'abababab', '--temperature', '0', '--ignore-eos'];
    const made = await document(...args, '--max-tokens', '60');
    const looking = ['--prompt-lookup-num-tokens', '10', '--max-matching-ngram-size', '2'];
    expect((await document(...args, ...looking, '--max-tokens', '60')).ids).toEqual(made.ids);
  });

  test('--chat applies the chat template', async () => {
    const { promptIds } = await document(
      '--prompt',
      'Hi',
      '--chat',
      '--system',
      'Brief.',
      ...greedy,
    );
    const text = 'system: Brief.\nuser: Hi\nassistant:';
    expect(promptIds).toEqual([beginId, ...Buffer.from(text)]);
  });

  test('has the reasoning apart from the text, and prints the text alone', async () => {
    const tokens = ['<think>', 'So.', '</think>', 'Yes.'];
    const path = join(folder, 'thinker.amb');
    await writeFile(path, chainFile({ tokens, answers: { ':': [0, 1, 2, 3] } }));
    const args = ['generate', path, '--chat', 'Hi', '--temperature', '0'];
    const [made] = (await ambryCli([...args, '--json'])).json();
    expect(made).toMatchObject({
      text: 'Yes.',
      reasoning: 'So.',
      toolCalls: [],
      finishReason: 'stop',
      usage: { completionTokens: 4 },
    });
    const printed = await ambryCli(args);
    expect(printed).toMatchObject({ out: 'Yes.\n', err: '', code: 0 });
  });

  test('stops before a stop text', async () => {
    const { text } = await document('--prompt', 'Hello', ...greedy);
    const stop = [...text][4] ?? '';
    const made = await document('--prompt', 'Hello', ...greedy, '--stop', 'none', '--stop', stop);
    expect(made.stoppedBy).toBe('stop');
    expect(made.text).toBe(text.slice(0, text.indexOf(stop)));
  });

  test('biases, penalties and stop ids are those of the package', async () => {
    const biased = [...greedy, '--logit-bias', '65=1000', '--logit-bias', '66=990'];
    expect((await document('--prompt', 'x', ...biased)).text).toBe('A'.repeat(10));
    const banned = await document('--prompt', 'x', ...biased, '--logit-bias', '65=false');
    expect(banned.text).toBe('B'.repeat(10));
    const penalty = ['--presence-penalty', '20', '--penalty-last-n', '1'];
    const made = await document('--prompt', 'x', ...biased, ...penalty);
    expect(made.text).toBe('ABABABABAB');
    const stopped = await document('--prompt', 'x', ...biased, ...penalty, '--stop-id', '66');
    expect(stopped).toMatchObject({ text: 'A', stoppedBy: 'stop' });
  });

  test('DRY takes breakers, and an empty one for none', async () => {
    const dry = [...greedy, '--logit-bias', '58=1000', '--logit-bias', '66=990'];
    dry.push('--dry-multiplier', '20', '--dry-allowed-length', '1');
    expect((await document('--prompt', 'x', ...dry)).text).toBe(':'.repeat(10));
    const none = await document('--prompt', 'x', ...dry, '--dry-sequence-breaker', '');
    expect(none.text.slice(0, 3)).toBe('::B');
  });

  test('--device says why there is none, and the answer is the same', async () => {
    const { ids } = await document('--prompt', 'Hello', ...greedy);
    const args = ['--prompt', 'Hello', ...greedy, '--device', 'webgpu', '--json'];
    const run = await ambryCli(['generate', file, ...args]);
    expect(run.code).toBe(0);
    expect((run.json()[0] as Document).ids).toEqual(ids);
    expect(run.err).toContain('The model runs in WebAssembly: there is no WebGPU here');
  });

  test('--resident reads layers again for each token', async () => {
    const { ids } = await document('--prompt', 'Hello', ...greedy);
    const args = ['--prompt', 'Hello', ...greedy, '--resident', '100kB', '--json'];
    const run = await ambryCli(['generate', file, ...args]);
    expect(run.code).toBe(0);
    expect((run.json()[0] as Document).ids).toEqual(ids);
    expect(run.err).toMatch(/are read for each token: about .* tokens\/s/);
  });

  test('Ctrl-C stops it between two tokens', async () => {
    // With a random seed the answer may end before the signal comes.
    const args = ['generate', file, '--prompt', 'a', '--max-tokens', '30000', '--temperature', '0'];
    const child = spawn(process.execPath, [...cliArgs, ...args]);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (out === '') {
        child.kill('SIGINT');
      }
      out += chunk;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(out.endsWith('\n')).toBe(true);
    expect(out.length).toBeLessThan(30_000);
  });

  const misuses: readonly (readonly [string, readonly string[]])[] = [
    ['--prompt', []],
    ['--temperature', ['--prompt', 'a', '--temperature=-1']],
    ['--top-p', ['--prompt', 'a', '--top-p', '1.5']],
    ['--max-tokens', ['--prompt', 'a', '--max-tokens', '0']],
    ['-n', ['--prompt', 'a', '-n', '0']],
    ['-n', ['--batch', '-', '-n', '2']],
    ['--batch', ['--batch', '-', '--prompt', 'a']],
    ['--batch', ['--batch', '-']],
    ['--batch-size', ['--prompt', 'a', '--batch-size', 'b']],
    ['--max-matching-ngram-size', ['--prompt', 'a', '--max-matching-ngram-size', '0']],
    ['--typical-p', ['--prompt', 'a', '--typical-p=-1']],
    ['--penalty-last-n', ['--prompt', 'a', '--penalty-last-n=-2']],
    ['--logit-bias', ['--prompt', 'a', '--logit-bias', '65']],
    ['--logit-bias', ['--prompt', 'a', '--logit-bias', '65=hot']],
    ['--stop-id', ['--prompt', 'a', '--stop-id', 'b']],
    ['--mirostat', ['--prompt', 'a', '--mirostat', '1.5']],
    ['--resident', ['--prompt', 'a', '--resident', 'much']],
    ['--device', ['--prompt', 'a', '--device', 'cuda']],
    ['--kv', ['--prompt', 'a', '--kv', 'f8']],
    ['--weights', ['--prompt', 'a', '--weights', 'f16']],
    ['--system', ['--prompt', 'a', '--system', 'b']],
  ];
  test.each(misuses)('a wrong %s is bad usage', async (path, args) => {
    const run = await ambryCli(['generate', file, ...args, '--json']);
    expect(run.code).toBe(2);
    expect(run.json()).toMatchObject([{ error: { code: 'BadValue', path } }]);
  });

  test('a model of another kind fails with 1', async () => {
    const encoder = join(folder, 'encoder.weights');
    await writeFile(encoder, await smallModel());
    const run = await ambryCli(['generate', encoder, '--prompt', 'a', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject([{ error: { code: 'Unsupported', message: /embd/ } }]);
  });
});

describe('ambry perplexity', () => {
  test('prints a line, or a document with --json', async () => {
    const run = await ambryCli(['perplexity', file, '--text', 'some text', '--json']);
    expect(run.code).toBe(0);
    const found = run.json()[0] as { readonly perplexity: number };
    expect(found).toMatchObject({ tokens: 9, windows: 1 });
    const line = await ambryCli(['perplexity', file, '--text', 'some text']);
    expect(line.out).toBe(`${found.perplexity.toFixed(4)}\tover 9 tokens\n`);
    const piped = await ambryCli(['perplexity', file, '--file', '-'], 'some text');
    expect(piped.out).toBe(line.out);
  });

  test('--weights f32 does not quantize activations', async () => {
    const small = join(folder, 'small-int8.amb');
    await ambryCli(['quantize', file, small, '--type', 'int8']);
    const perplexity = async (...args: readonly string[]) => {
      const run = await ambryCli(['perplexity', small, '--text', 'some text', '--json', ...args]);
      return (run.json()[0] as { readonly perplexity: number }).perplexity;
    };
    const [whole, exact] = [await perplexity(), await perplexity('--weights', 'f32')];
    expect(exact).not.toBe(whole);
    expect(exact / whole).toBeCloseTo(1, 2);
    const refused = await ambryCli([
      'perplexity',
      small,
      '--text',
      'a',
      '--weights',
      'int8',
      '--json',
    ]);
    expect(refused.json()).toMatchObject([
      { error: { code: 'Unsupported', path: 'options.weights' } },
    ]);
  });

  test('without a text is bad usage', async () => {
    const run = await ambryCli(['perplexity', file, '--json']);
    expect(run.code).toBe(2);
  });
});
