// `ambry convert`: files and standard streams, and what remains after a failure.
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cliArgs, ambryCli as startCli } from '../../support/cli/cli.ts';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { onDisk } from '../../support/directories/model-directories.ts';
import { model2vecDirectory } from '../../support/directories/static-directories.ts';
import { startServer } from '../../support/servers/server.ts';

const { folder, at, model, file } = await cliFolder();
const server = await startServer(file);
describe('convert', () => {
  test('converts a directory to a file and to standard output', async () => {
    vi.stubEnv('SOURCE_DATE_EPOCH', '1767225600');
    const { code } = await startCli(['convert', at('tiny'), at('out.weights')]);
    expect(code).toBe(0);
    const converted = await readFile(at('out.weights'));
    const piped = await startCli(['convert', at('tiny'), '-']);
    vi.unstubAllEnvs();
    expect(Buffer.compare(piped.stdout, converted)).toBe(0);
    const [info] = (await ambryCli(['inspect', at('out.weights'), '--json'])).json();
    expect(info).toMatchObject({
      metadata: { model_name: 'tiny', created_at: '2026-01-01T00:00:00Z' },
    });
  });

  test('says what it assumed of a vocab.txt, unless told', async () => {
    await cp(at('tiny'), at('bare'), { recursive: true });
    await rm(at('bare/tokenizer_config.json'));
    const args = ['convert', at('bare'), at('bare.weights'), '--json'];
    const assumed = await ambryCli(args);
    const warning = expect.objectContaining({ code: 'NotFound', path: 'vocab.txt' });
    expect(assumed.json()).toMatchObject([{ warnings: expect.arrayContaining([warning]) }]);
    expect(assumed.err).toMatch(/^warning {2}NotFound vocab\.txt: .*--cased/m);
    const cased = await ambryCli([...args, '--cased']);
    expect(cased.err).not.toContain('vocab.txt');
    const metadata = await ambryCli(['metadata', at('bare.weights'), '--json']);
    expect(metadata.json()).toMatchObject([{ do_lower_case: 'false' }]);
    const quantize = ['quantize', at('bare'), at('bare.weights'), '--type', 'int8', '--uncased'];
    const quantized = await ambryCli([...quantize, '--json']);
    expect(quantized.err).not.toContain('vocab.txt');
    expect(quantized.code).toBe(0);
  });

  test.each([
    [['convert', at('tiny'), at('no.weights'), '--cased'], 'BadValue', 'options.lowercase'],
    [['convert', model, at('no.weights'), '--uncased'], 'Unsupported', 'options.lowercase'],
    [['quantize', model, at('no.weights'), '--type=int8', '--cased'], 'Unsupported', undefined],
    [['convert', model, at('no.weights'), '--cased', '--uncased'], 'BadValue', '--cased'],
  ])('%j is refused, because a file states it', async (args, errorCode, path) => {
    const { json } = await ambryCli([...args, '--json']);
    expect(json()).toMatchObject([{ error: { code: errorCode, ...(path && { path }) } }]);
    expect(await readdir(folder)).not.toContain('no.weights');
  });

  test('leaves no temporary files, even if the reader stops early', async () => {
    await mkdir(at('spool'));
    vi.stubEnv('TMPDIR', at('spool'));
    const whole = await startCli(['convert', model, '-', '--to', 'embd']);
    expect(Buffer.compare(whole.stdout, file)).toBe(0);
    expect(await readdir(at('spool'))).toEqual([]);
    const failed = await startCli(['convert', model, '-', '--to', 'alt', '--json']);
    expect(failed.json()).toMatchObject([{ error: { code: expect.any(String) } }]);
    expect(await readdir(at('spool'))).toEqual([]);
    // More than a pipe holds.
    const lines = Array.from({ length: 20_000 }, (_, i) => `word${i} 1 2 3\n`);
    await writeFile(at('large.txt'), lines.join(''));
    const large = [
      ...cliArgs,
      'convert',
      at('large.txt'),
      '-',
      '--from',
      'text',
      '--to',
      'word2vec',
    ];
    const child = spawn(process.execPath, large);
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    vi.unstubAllEnvs();
    expect(code).toBe(0);
    expect(await readdir(at('spool'))).toEqual([]);
  });

  test('reads standard input, and sets metadata and the type', async () => {
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
    expect((await startCli(args, file)).code).toBe(0);
    const [info] = (await ambryCli(['inspect', at('half.weights'), '--json'])).json();
    expect(info).toMatchObject({ metadata: { licence: 'MIT' } });
    expect((info as { bytes: number }).bytes).toBeLessThan(file.length);
  });

  test('cuts a static encoder', async () => {
    const { path, remove } = await onDisk(model2vecDirectory());
    onTestFinished(remove);
    const { code, err } = await ambryCli(['convert', path, at('cut.weights'), '--dim', '4']);
    expect(code, err).toBe(0);
    expect((await ambryCli(['convert', path, at('whole.weights')])).code).toBe(0);
    const embed = async (name: string) =>
      (await ambryCli(['embed', at(name), 'the cat', '--dim', '4', '--json'])).json();
    expect(await embed('cut.weights')).toEqual(await embed('whole.weights'));
    const [info] = (await ambryCli(['inspect', at('cut.weights'), '--json'])).json();
    expect(info).toMatchObject({ metadata: { embedding_dim: '4' } });
  });

  test.each([
    ['0', 2, 'BadValue', '--dim'],
    ['two', 2, 'BadValue', '--dim'],
    ['1.5', 2, 'BadValue', '--dim'],
    ['4', 1, 'Unsupported', 'options.dim'],
  ])('--dim %s of a transformer is refused', async (dim, exit, errorCode, path) => {
    const { code, json } = await ambryCli([
      'convert',
      model,
      at('uncut.weights'),
      '--dim',
      dim,
      '--json',
    ]);
    expect(code).toBe(exit);
    expect(json()).toMatchObject([{ error: { code: errorCode, path } }]);
    expect(await readdir(folder)).not.toContain('uncut.weights');
  });

  test('a failed job gives 1 and writes no file', async () => {
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

  test('Ctrl-C stops a job with 130 and leaves no file', async () => {
    await mkdir(at('stopped'));
    const args = [...cliArgs, 'convert', server.url('stall'), at('stopped/out.weights')];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const before = server.requests().length;
    await expect.poll(() => server.requests().length, { timeout: 10_000 }).toBeGreaterThan(before);
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(await readdir(at('stopped'))).toEqual([]);
  });
});
