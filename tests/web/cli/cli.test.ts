// Every command as a child process: exit codes, JSON shapes, standard input and output.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ambFile } from '../support/amb-file.ts';
import { ambryCli } from '../support/cli.ts';
import { modelDirectory } from '../support/fixtures.ts';
import { smallModel } from '../support/package.ts';
import { startServer } from '../support/server.ts';

const file = await smallModel();
const server = await startServer(file);
let folder = '';
let model = '';
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-cli-'));
  model = at('tiny.weights');
  await writeFile(model, file);
  for (const [name, bytes] of modelDirectory()) {
    await mkdir(dirname(at(`tiny/${name}`)), { recursive: true });
    await writeFile(at(`tiny/${name}`), bytes);
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe('usage', () => {
  test.each([
    [[]],
    [['help']],
    [['--help']],
    [['help', 'embed']],
    [['embed', '--help']],
  ])('%j says what there is', async (args) => {
    const { code, out } = await ambryCli(args);
    expect(code).toBe(0);
    expect(out).toMatch(/embed/);
  });

  test.each([
    [['bogus']],
    [['inspect']],
    [['inspect', 'a', 'b']],
    [['inspect', 'a', '--bogus']],
    [['search', 'a', 'b', '--hybrid']],
    [['search', 'a', 'b', '-k', 'many']],
    [['convert', 'a', 'b', '--dtype', 'int8']],
    [['quantize', 'a', 'b']],
    [['quantize', 'a', 'b', '--type', 'q4_k']],
    [['quantize', 'a', 'b', '--type', 'int8', '--block', '33']],
    [['quantize', 'a', 'b', '--type', 'int8', '--keep', '(']],
    [['quantize', 'a', 'b', '--type', 'adaptive', '--bits', '0']],
    [['embed', 'a', '--pooling', 'sum', '--text', 'x']],
    [['embed', 'a', '--npy', 'x', '--file', 'y', '--dim', '0']],
    [['tokenize', 'a']],
    [['demo', '--port', 'x']],
  ])('%j is bad usage: 2', async (args) => {
    const { code, out, err } = await ambryCli(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^ambry: BadValue/);
    const json = await ambryCli([...args, '--json']);
    expect(json.code).toBe(2);
    expect(json.json()).toMatchObject([{ error: { code: 'BadValue' } }]);
  });

  test.each([
    ['inspect'],
    ['validate'],
    ['tokenize', '--text', 'x'],
    ['embed', '--text', 'x'],
    ['convert', 'out'],
    ['search', 'x'],
  ])('%s of what cannot be read: 2', async (command, ...rest) => {
    for (const input of [at('none'), folder, server.url('missing'), server.url('html')]) {
      if (input === folder && command === 'convert') continue;
      const { code, json } = await ambryCli([command, input, ...rest, '--json']);
      expect(code).toBe(2);
      const error = expect.objectContaining({ code: expect.stringMatching(/^(NotFound|Http)$/) });
      expect(json()).toMatchObject([{ error }]);
    }
  });
});

describe('inspect', () => {
  test('--json has the shape of the contract', async () => {
    const { code, json } = await ambryCli(['inspect', model, '--json']);
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        file: model,
        format: 'embd',
        version: expect.any(String),
        bytes: file.length,
        metadata: expect.any(Object),
        config: { hiddenSize: 32 },
        tokenizer: { type: 'wordpiece', size: expect.any(Number), special: { cls: 2, sep: 3 } },
        tensors: expect.arrayContaining([
          {
            name: expect.any(String),
            dtype: 'f32',
            shape: expect.any(Array),
            offset: expect.any(Number),
            bytes: expect.any(Number),
          },
        ]),
      },
    ]);
  });

  test('for people', async () => {
    const { code, out, err } = await ambryCli(['inspect', model, '--tensors']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/format +embd/);
    expect(out).toMatch(/embeddings\.LayerNorm\.weight +f32 +32 /);
  });

  test('from standard input, and from a URL', async () => {
    const piped = await ambryCli(['inspect', '-', '--json'], file);
    expect(piped.json()).toMatchObject([{ format: 'embd', bytes: file.length }]);
    const fetched = await ambryCli(['inspect', server.url('ranges'), '--json']);
    expect(fetched.json()).toMatchObject([{ format: 'embd', bytes: file.length }]);
  });

  test('an invalid file: 1, with byte and field', async () => {
    await writeFile(at('short.weights'), file.slice(0, 500));
    const { code, json } = await ambryCli(['inspect', at('short.weights'), '--json']);
    expect(code).toBe(1);
    const [{ error }] = json() as [{ error: object }];
    expect(error).toMatchObject({ code: expect.any(String), byteOffset: expect.any(Number) });
    const plain = await ambryCli(['inspect', at('short.weights')]);
    expect([plain.code, plain.out]).toEqual([1, '']);
    expect(plain.err).toMatch(/at byte \d+/);
  });
});

describe('validate', () => {
  test('one line a file; the worst exit code wins', async () => {
    await writeFile(at('bad.weights'), file.slice(0, -40));
    const good = await ambryCli(['validate', model, '--json', '--strict', '--values']);
    expect(good.code).toBe(0);
    const { code, json } = await ambryCli(['validate', model, at('bad.weights'), '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject([
      { file: model, format: 'embd', version: expect.any(String), valid: true, errors: [] },
      {
        file: at('bad.weights'),
        valid: false,
        errors: [{ code: expect.any(String), message: expect.any(String) }],
        warnings: expect.any(Array),
      },
    ]);
    const all = await ambryCli(['validate', at('none'), at('bad.weights'), model]);
    expect(all.code).toBe(2);
    expect(all.out).toMatch(/INVALID/);
    expect(all.out).toMatch(/: valid/);
    expect(all.err).toMatch(/No such file/);
  });
});

describe('what a file holds, in numbers', () => {
  test('inspect --stats reads every tensor, also from a pipe', async () => {
    const { code, out } = await ambryCli(['inspect', model, '--stats']);
    expect(code).toBe(0);
    expect(out).toMatch(/tensor +min +max +mean +std +zeros +zero rows +denormals +NaN, ∞/);
    expect(out).toMatch(/memory +about .* to run, .* as int8/);
    const [piped] = (await ambryCli(['inspect', '-', '--stats', '--json'], file)).json();
    const { tensors, statistics } = piped as { tensors: unknown[]; statistics: unknown[] };
    expect(statistics).toHaveLength(tensors.length);
  });

  test('validate --values --json has the statistics', async () => {
    const [report] = (await ambryCli(['validate', model, '--values', '--json'])).json();
    expect(report).toMatchObject({ valid: true, rewritable: true });
    expect((report as { statistics: unknown[] }).statistics[0]).toMatchObject({
      tensor: 'embeddings.word_embeddings.weight',
      nan: 0,
      histogram: { counts: expect.any(Array) },
    });
  });

  test('validate shows the bytes and how to fix what strict reading refuses', async () => {
    const untidy = file.slice();
    untidy[60] = 7; // the header's reserved word
    new DataView(untidy.buffer).setUint32(untidy.length - 12, crc32(untidy.subarray(0, -16)), true);
    await writeFile(at('untidy.weights'), untidy);
    const { code, out } = await ambryCli(['validate', at('untidy.weights'), '--strict']);
    expect(code).toBe(1);
    expect(out).toMatch(/error +BadValue at byte 60, header\.reserved/);
    expect(out).toMatch(/00000030( +..){12} +\[07\]/);
    expect(out).toContain('--to embd');
    const target = at('fixed.weights');
    const fixed = await ambryCli(['convert', at('untidy.weights'), target, '--to', 'embd']);
    expect(fixed.code).toBe(0);
    expect((await ambryCli(['validate', target, '--strict'])).code).toBe(0);
    expect(Buffer.compare(await readFile(target), Buffer.from(file))).toBe(0);
  });
});

describe('convert and quantize', () => {
  test('a directory to a file, and to standard output', async () => {
    vi.stubEnv('SOURCE_DATE_EPOCH', '1767225600');
    const { code } = await ambryCli(['convert', at('tiny'), at('out.weights')]);
    expect(code).toBe(0);
    const converted = await readFile(at('out.weights'));
    const piped = await ambryCli(['convert', at('tiny'), '-']);
    vi.unstubAllEnvs();
    expect(Buffer.compare(piped.stdout, converted)).toBe(0);
    const [info] = (await ambryCli(['inspect', at('out.weights'), '--json'])).json();
    expect(info).toMatchObject({
      metadata: { model_name: 'tiny', created_at: '2026-01-01T00:00:00Z' },
    });
  });

  test('from standard input, with metadata and a type', async () => {
    await writeFile(at('meta.json'), '{"licence":"MIT"}');
    const args = [
      'convert',
      '-',
      at('half.weights'),
      '--dtype',
      'f16',
      '--metadata',
      at('meta.json'),
    ];
    expect((await ambryCli(args, file)).code).toBe(0);
    const [info] = (await ambryCli(['inspect', at('half.weights'), '--json'])).json();
    expect(info).toMatchObject({ metadata: { licence: 'MIT' } });
    expect((info as { bytes: number }).bytes).toBeLessThan(file.length);
  });

  test('quantize makes it smaller', async () => {
    const { code, json } = await ambryCli([
      'quantize',
      model,
      at('int8.weights'),
      '--type',
      'int8',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        source: model,
        target: at('int8.weights'),
        report: { bytes: expect.any(Number), tensors: expect.any(Array) },
        agreement: { texts: 12 },
        warnings: [],
      },
    ]);
    expect((await readFile(at('int8.weights'))).length).toBeLessThan(file.length / 2);
  });

  test('quantize prints what every tensor loses', async () => {
    await writeFile(at('small.amb'), ambFile());
    const args = ['--type', 'adaptive', '--bits', '6', '--block', '32', '--scale', 'fp16'];
    const { code, out, err } = await ambryCli([
      'quantize',
      at('small.amb'),
      at('smaller.amb'),
      ...args,
      '--keep',
      'embed|q_proj',
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^tensor +type +before +after +max error +relative +cosine$/m);
    expect(out).toMatch(/^model\.layers\.0\.mlp\.up_proj\.weight +f32 → adaptive +16\.4 kB/m);
    expect(out).toMatch(
      /^model\.layers\.0\.self_attn\.q_proj\.weight +f32 +16\.4 kB +16\.4 kB +0/m,
    );
    expect(out).toMatch(/^total +\d+\.\d %/m);
    expect(out).toMatch(/not compared/);
    const encoder = await ambryCli(['quantize', model, at('half.weights'), '--type', 'f16']);
    expect(encoder.out).toMatch(/^Embeddings of 12 texts: cosine (0\.9|1\.0)\d+ on average/m);
  });

  test('a failed job: 1, and no file', async () => {
    await mkdir(at('empty'));
    await writeFile(at('pickle/pytorch_model.bin'), '').catch(async () => {
      await mkdir(at('pickle'));
      await writeFile(at('pickle/pytorch_model.bin'), 'x');
    });
    for (const source of ['empty', 'pickle']) {
      const { code, json } = await ambryCli(['convert', at(source), at('never.weights'), '--json']);
      expect(code).toBe(1);
      expect(json()).toMatchObject([{ error: { path: expect.any(String) } }]);
    }
    const other = await ambryCli(['convert', model, at('never.alt')]);
    expect(other.code).toBe(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([]);
  });
});

describe('tokenize', () => {
  test('texts and lines, with and without special tokens', async () => {
    const args = ['tokenize', model, '--text', 'The cat', '--file', '-', '--json'];
    const { code, json } = await ambryCli(args, 'dogs\n\n');
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      { text: 'The cat', tokens: ['[CLS]', 'the', 'cat', '[SEP]'] },
      { text: 'dogs', tokens: ['[CLS]', 'dog', '##s', '[SEP]'] },
      { text: '', ids: [2, 3] },
    ]);
    const bare = await ambryCli([
      'tokenize',
      at('tiny/vocab.txt'),
      '--text',
      'cat',
      '--no-special',
    ]);
    expect(bare.out).toMatch(/^\d+\tcat\n$/);
    const folderOf = await ambryCli(['tokenize', at('tiny'), '--text', 'cat', '--json']);
    expect(folderOf.json()).toMatchObject([{ tokens: ['[CLS]', 'cat', '[SEP]'] }]);
  });
});

describe('embed', () => {
  test('JSON lines, plain lines and a NumPy file have the same numbers', async () => {
    const texts = ['--text', 'the cat', '--text', 'dog'];
    const lines = (await ambryCli(['embed', model, ...texts, '--json'])).json() as {
      text: string;
      vector: number[];
    }[];
    expect(lines.map(({ text }) => text)).toEqual(['the cat', 'dog']);
    expect(Math.hypot(...(lines[0]?.vector ?? []))).toBeCloseTo(1, 5);
    const plain = await ambryCli(['embed', model, ...texts]);
    const rows = plain.out.trim().split('\n');
    expect(rows.map((row) => row.split(' ').map(Number))).toEqual(
      lines.map(({ vector }) => vector),
    );
    const npy = (await ambryCli(['embed', model, ...texts, '--npy', '-'])).stdout;
    const start = 10 + npy.readUInt16LE(8);
    expect(start % 64).toBe(0);
    expect(npy.subarray(10, start).toString()).toMatch(/'<f4'.*'shape': \(2, 32\)/);
    const numbers = Array.from({ length: 64 }, (_, i) => npy.readFloatLE(start + 4 * i));
    expect(numbers).toEqual(lines.flatMap(({ vector }) => vector.map(Math.fround)));
  });

  test('options reach the model', async () => {
    const vector = async (...args: string[]) => {
      const { json } = await ambryCli(['embed', model, '--text', 'the cat', '--json', ...args]);
      return (json() as { vector: number[] }[])[0]?.vector ?? [];
    };
    const own = await vector();
    expect(await vector('--pooling', 'cls')).not.toEqual(own);
    expect(await vector('--weights', 'int8')).not.toEqual(own);
    expect(await vector('--prompt', 'dog ')).not.toEqual(own);
    expect(await vector('--dim', '4')).toHaveLength(4);
    expect(Math.hypot(...(await vector('--no-normalize')))).not.toBeCloseTo(1, 3);
    expect(await vector('--pooling', 'none')).toHaveLength(4);
  });

  test('a text that is too long: 1', async () => {
    const text = 'cat '.repeat(100);
    const { code, json } = await ambryCli([
      ...['embed', model, '--text', text, '--truncate', 'error', '--json'],
    ]);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: expect.any(String) } }]);
  });
});

describe('index and search', () => {
  beforeAll(async () => {
    await mkdir(at('docs/inner'), { recursive: true });
    await writeFile(at('docs/a.md'), '# Cats\n\nthe cat sat on the mat.\n');
    await writeFile(at('docs/inner/b.jsonl'), '{"id":"dog","text":"dog ran home!"}\n');
    await writeFile(at('docs/c.bin'), 'x');
  });

  test('a folder, found again by meaning', async () => {
    const made = await ambryCli(['index', model, at('docs'), at('docs.ambryindex'), '--json']);
    expect(made.code).toBe(0);
    expect(made.err).toMatch(/left out 1 files/);
    expect(made.json()).toMatchObject([{ files: 2, passages: 2, dim: 32 }]);
    const args = ['search', at('docs.ambryindex'), 'dog ran home!', '-k', '1'];
    const { code, json } = await ambryCli([...args, '--json']);
    expect(code).toBe(0);
    const [hits] = json() as [{ id: string; score: number; text: string }[]];
    expect(hits).toMatchObject([{ id: 'dog', text: 'dog ran home!' }]);
    expect(hits[0]?.score).toBeCloseTo(1, 5);
    expect((await ambryCli(args)).out).toMatch(/^1\.0000 {2}dog\n/);
  });

  test('index and model move together; another place is given with --model', async () => {
    await mkdir(at('moved'));
    await ambryCli(['index', model, at('docs/a.md'), at('moving.ambryindex')]);
    await rename(at('moving.ambryindex'), at('moved/moving.ambryindex'));
    const args = ['search', at('moved/moving.ambryindex'), 'cat', '--json'];
    const lost = await ambryCli(args);
    expect(lost.code).toBe(2);
    expect((await ambryCli([...args, '--model', model])).code).toBe(0);
  });

  test('the wrong model is refused: 1', async () => {
    await writeFile(at('other.weights'), await smallModel(2));
    await ambryCli(['index', model, at('docs'), at('own.ambryindex')]);
    const args = ['search', at('own.ambryindex'), 'cat', '--model', at('other.weights'), '--json'];
    const { code, json } = await ambryCli(args);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'Mismatch', path: 'model' } }]);
  });

  test('a corpus without text: 2', async () => {
    await mkdir(at('nothing'));
    expect((await ambryCli(['index', model, at('nothing'), at('x.ambryindex')])).code).toBe(2);
  });
});

describe('doctor', () => {
  test('tells what was found', async () => {
    const { code, json } = await ambryCli(['doctor', server.url('ranges'), '--json']);
    expect(code).toBe(0);
    expect(json()[0]).toContainEqual(expect.objectContaining({ name: 'range', ok: true }));
    expect((await ambryCli(['doctor', server.url('missing')])).code).toBe(1);
  });
});

test('Ctrl-C stops a job: 130, and nothing is left behind', async () => {
  await mkdir(at('stopped'));
  const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
  const args = [main, 'convert', server.url('stall'), at('stopped/out.weights')];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const before = server.requests().length;
  await expect.poll(() => server.requests().length, { timeout: 10_000 }).toBeGreaterThan(before);
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
  expect(await readdir(at('stopped'))).toEqual([]);
});
