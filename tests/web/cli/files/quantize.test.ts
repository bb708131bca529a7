// `ambry quantize`: its report of the loss, and its options.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { ambFile } from '../../support/files/amb-file.ts';
import { languageFile } from '../../support/files/language-file.ts';

const { at, model, file } = await cliFolder();

describe('quantize', () => {
  test('makes the file smaller', async () => {
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
        agreement: { kind: 'embeddings', texts: 12 },
        warnings: [],
      },
    ]);
    expect((await readFile(at('int8.weights'))).length).toBeLessThan(file.length / 2);
  });

  test('prints the loss of every tensor', async () => {
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
    expect(code).toBe(0);
    expect(err).toMatch(/^warning {2}NotFound tokenizer: .*the result will not generate text\n$/);
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

  test('--calibration changes the result, and fails without a text', async () => {
    await writeFile(at('language.amb'), languageFile());
    await writeFile(at('one.txt'), 'a fox in the snow');
    await writeFile(at('two.txt'), 'and a hare on the hill');
    const run = async (target: string, ...more: string[]) => {
      const args = ['quantize', at('language.amb'), at(target), '-q', 'adaptive', '--no-compare'];
      return ambryCli([...args, ...more, '--json']);
    };
    const files = ['one.txt', 'two.txt'].flatMap((name) => ['--calibration', at(name)]);
    expect((await run('plain.amb')).code).toBe(0);
    expect((await run('first.amb', ...files.slice(0, 2))).code).toBe(0);
    expect((await run('both.amb', ...files)).code).toBe(0);
    const [plain, first, both] = await Promise.all(
      ['plain', 'first', 'both'].map((name) => readFile(at(`${name}.amb`))),
    );
    expect(first?.equals(plain as Buffer)).toBe(false);
    expect(both?.equals(first as Buffer)).toBe(false);
    await writeFile(at('empty.txt'), '\n');
    const empty = await run('never.amb', '--calibration', at('empty.txt'));
    expect(empty.code).toBe(1);
    expect(empty.json()).toMatchObject([{ error: { code: 'BadValue', path: 'calibration' } }]);
    const missing = await run('never.amb', '--calibration', at('nothing.txt'));
    expect(missing.code).not.toBe(0);
    // A file of llama-imatrix is one, and stands alone.
    await writeFile(at('importance.dat'), new Uint8Array([1, 0, 0, 0, 9]));
    const importance = ['--calibration', at('importance.dat')];
    const damaged = await run('never.amb', ...importance);
    expect([damaged.code, damaged.json()]).toMatchObject([1, [{ error: { code: 'Truncated' } }]]);
    expect((await run('never.amb', ...importance, ...files)).code).toBe(2);
  });

  test('reads word vectors of other formats, and warns of a word that is not UTF-8', async () => {
    const rows = Buffer.from('east 2 0\nnorth 0 3\nwe?st -1 0\n');
    rows[rows.indexOf('?')] = 0xff;
    await writeFile(at('words.txt'), rows);
    const args = ['quantize', at('words.txt'), at('words.fifu'), '-q', 'pq', '-f', 'text'];
    const pq = ['-s', '1', '-b', '1', '--json'];
    const { code, json } = await ambryCli([...args, ...pq]);
    expect(code).toBe(0);
    expect(json()).toMatchObject([{ warnings: [{ path: 'rows' }], report: { vectors: {} } }]);
    const [info] = (await ambryCli(['inspect', at('words.fifu'), '--json'])).json();
    expect(info).toMatchObject({ config: { storage: 'quantized', rows: 3 } });
  });

  test('--from and --arch are checked against the source', async () => {
    const args = ['quantize', model, at('again.weights'), '--type', 'int8', '--from'];
    const { code, json } = await ambryCli([...args, 'gguf', '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject([{ error: { code: 'Mismatch', path: 'options.from' } }]);
    expect((await ambryCli([...args, 'embd'])).code).toBe(0);
    await mkdir(at('decoder'));
    await copyFile(at('tiny/model.safetensors'), at('decoder/model.safetensors'));
    await writeFile(at('decoder/config.json'), '{}');
    const decoder = ['quantize', at('decoder'), at('never.amb'), '--type', 'int8', '--json'];
    const unknown = await ambryCli(decoder);
    expect(unknown.json()).toMatchObject([{ error: { path: 'config.json.model_type' } }]);
    const stated = await ambryCli([...decoder, '--arch', 'mistral']);
    expect(stated.json()).toMatchObject([{ error: { path: 'config.n_vocab' } }]);
  });
});
