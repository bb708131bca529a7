// The built package in Node: inspect, validate, convert.
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelDirectory, shardedDirectory } from '../support/fixtures.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';
import { contentOf } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';

const { inspect, validate, convert, doctor } = ambry;
const file = await smallModel();
const server = await startServer(file);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-files-'));
  for (const [name, bytes] of modelDirectory()) {
    await mkdir(dirname(join(folder, 'model', name)), { recursive: true });
    await writeFile(join(folder, 'model', name), bytes);
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe('inspect', () => {
  test('lists the tensors with their offsets', async () => {
    const info = await inspect(file);
    expect(info).toMatchObject({ format: 'embd', bytes: file.length, config: { hiddenSize: 32 } });
    for (const { offset, bytes } of info.tensors) {
      expect(offset + bytes).toBeLessThanOrEqual(file.length);
    }
  });

  test('does not download weights from a server with range requests', async () => {
    const before = server.requests().length;
    await inspect(server.url('ranges'));
    expect(server.requests().length - before).toBeLessThanOrEqual(3);
  });

  test('reads safetensors', async () => {
    const info = await inspect(modelDirectory().get('model.safetensors') as Uint8Array);
    expect(info.format).toBe('safetensors');
  });
});

describe('validate', () => {
  test('accepts a valid file', async () => {
    expect(await validate(file, { strict: true, values: true })).toMatchObject({
      format: 'embd',
      valid: true,
      errors: [],
    });
  });

  test('finds a changed weight by its checksum', async () => {
    const flipped = file.slice();
    const { tensors } = await inspect(file);
    const at = tensors[3]?.offset ?? 0;
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    const report = await validate(flipped);
    expect(report.valid).toBe(false);
    expect(report.errors[0]).toMatchObject({ code: 'Mismatch' });
  });

  test('reports a file that is not a model, and does not reject', async () => {
    const report = await validate(new TextEncoder().encode('hello there, not a model at all'));
    expect(report).toMatchObject({ format: null, valid: false });
    expect(report.errors).not.toHaveLength(0);
  });

  test('rejects after a failed download', async () => {
    await expect(validate(server.url('drop'))).rejects.toMatchObject({ code: 'Http' });
  });
});

describe('convert', () => {
  test('accepts the files of a folder, with or without the folder’s name', async () => {
    const named = new Map([...modelDirectory()].map(([name, bytes]) => [`tiny/${name}`, bytes]));
    const blob = await convert(named);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(file);
    const record = Object.fromEntries(modelDirectory());
    expect((await convert(record)).size).toBe(file.length);
  });

  test('accepts the path of a directory, or of the weights in it', async () => {
    const target = join(folder, 'out.weights');
    await convert({ path: join(folder, 'model') }, { output: target });
    expect(Buffer.compare(await readFile(target), file)).toBe(0);
    const blob = await convert(join(folder, 'model', 'model.safetensors'));
    expect(blob.size).toBe(file.length);
  });

  test('weights in several files give the same result', async () => {
    const blob = await convert(shardedDirectory());
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(file);
    const place = join(folder, 'sharded');
    for (const [name, bytes] of shardedDirectory()) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), bytes);
    }
    const shard = 'model-00002-of-00002.safetensors';
    expect((await convert(place)).size).toBe(file.length);
    expect((await convert(join(place, shard))).size).toBe(file.length);
    await rm(join(place, shard));
    await expect(convert(place)).rejects.toMatchObject({ code: 'NotFound', path: shard });
  });

  test('int8 is smaller and runs', async () => {
    const blob = await convert(file, { dtype: 'int8' });
    expect(blob.size).toBeLessThan(file.length / 2);
    await using model = await openEncoder(blob);
    expect(await model.embed('the cat')).toHaveLength(32);
  });

  test('adds the metadata of the options', async () => {
    const blob = await convert(file, { metadata: { licence: 'MIT' } });
    expect((await inspect(blob)).metadata).toMatchObject({ licence: 'MIT' });
  });

  test('reports the progress of bytes up to the last', async () => {
    const seen: number[] = [];
    const blob = await convert(file, { onProgress: ({ loaded }) => seen.push(loaded) });
    expect(seen.at(-1)).toBe(blob.size);
  });

  test('a stream, and a file without range requests, are read first', async () => {
    expect((await convert(server.url('plain'), { dtype: 'f16' })).size).toBeLessThan(file.length);
    expect((await convert(new Blob([file]).stream())).size).toBe(file.length);
  });

  test('an abort leaves no files behind', async () => {
    const out = join(folder, 'aborted');
    await mkdir(out);
    const controller = new AbortController();
    const job = convert(file, {
      output: join(out, 'model.weights'),
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(job).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readdir(out)).toEqual([]);
  });

  test('an error leaves no files behind', async () => {
    const out = join(folder, 'failed');
    await mkdir(out);
    const broken = file.slice(0, file.length - 100);
    await expect(convert(broken, { output: join(out, 'model.weights') })).rejects.toBeInstanceOf(
      ambry.AmbryError,
    );
    expect(await readdir(out)).toEqual([]);
  });

  test.each([
    ['tf_model.h5', 'Unsupported', /TensorFlow/],
    ['pytorch_model.bin', 'BadMagic', /not a model file/],
    ['notes.txt', 'NotFound', /no model\.safetensors/],
  ])('a directory with %s instead of the weights', async (name, code, message) => {
    const files = modelDirectory();
    files.delete('model.safetensors');
    files.set(name, new Uint8Array(1));
    await expect(convert(files)).rejects.toMatchObject({ code, message });
  });

  test('a directory of an unsupported model is refused before its weights are downloaded', async () => {
    const files = new Map<string, Uint8Array | URL>(modelDirectory());
    const weights = Buffer.concat([modelDirectory().get('model.safetensors') as Uint8Array]);
    const served = server.serve('weights', { content: contentOf(weights), etag: '"w"' });
    files.set('model.safetensors', new URL(served.url));
    expect((await convert(files)).size).toBe(file.length);
    const requests = server.requests().length;
    files.set('config.json', Buffer.from('{"model_type":"longformer"}'));
    const message =
      /"longformer" are not supported; docs\/what-opens\.md lists the types that open/;
    await expect(convert(files)).rejects.toMatchObject({ code: 'Unsupported', message });
    const whole = server
      .requests()
      .slice(requests)
      .filter((line) => !line.includes('bytes='));
    expect(whole.filter((line) => line.startsWith('GET'))).toEqual([]);
    files.delete('model.safetensors');
    await expect(convert(files)).rejects.toMatchObject({ code: 'Unsupported', message });
    files.set('config.json', Buffer.from('{"model_type":"llama"}'));
    await expect(convert(files)).rejects.toMatchObject({ message: /ambry convert DIR model.amb/ });
  });

  test('a file whose checksum is wrong is refused, or converted with a warning', async () => {
    const damaged = Uint8Array.from(file);
    const [tensor] = (await inspect(file)).tensors.slice(-1);
    const at = (tensor?.offset ?? 0) + 1;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    const path = 'footer.data_checksum';
    await expect(convert(damaged)).rejects.toMatchObject({ code: 'Mismatch', path });
    await expect(ambry.quantize(damaged, { type: 'int8', texts: [] })).rejects.toMatchObject({
      path,
    });
    const warnings: unknown[] = [];
    await convert(damaged, { lossy: true, onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'Mismatch', path }));
  });

  test.each([
    [{ to: 'alt' }, 'Unsupported'],
    [{ from: 'safetensors' }, 'Mismatch'],
  ])('refuses %o', async (options, code) => {
    await expect(convert(file, options)).rejects.toMatchObject({ code });
  });
});

describe('doctor', () => {
  const named = async (url: string | undefined, name: string) =>
    (await doctor(url)).find((check) => check.name === name);

  test('runs a worker and the WebAssembly', async () => {
    expect(await named(undefined, 'worker')).toMatchObject({ ok: true, found: /embd/ });
    expect(await named(undefined, 'simd')).toMatchObject({ ok: true });
  });

  test('describes a server', async () => {
    expect(await named(server.url('ranges'), 'range')).toMatchObject({ ok: true });
    expect(await named(server.url('plain'), 'version')).toMatchObject({ ok: false });
    expect(await named(server.url('plain'), 'range')).toMatchObject({ ok: false });
    expect(await named(server.url('html'), 'url')).toMatchObject({ ok: false, found: /web page/ });
    expect(await named(server.url('missing'), 'url')).toMatchObject({ ok: false, found: /404/ });
    expect(await named(server.url('gzip'), 'length')).toMatchObject({ ok: false, found: /gzip/ });
    expect(await named('http://127.0.0.1:9/', 'url')).toMatchObject({ ok: false });
  });

  test.each([
    ['answers', () => {}],
    ['sends a body', (response: ServerResponse) => response.writeHead(200).flushHeaders()],
  ])('does not wait for a server that never %s', async (_, answer) => {
    const silent = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const checks = await doctor(`http://127.0.0.1:${port}/`, { stallTimeout: 200 });
    silent.closeAllConnections();
    silent.close();
    expect(checks.find(({ name }) => name === 'url')).toMatchObject({
      ok: false,
      found: expect.stringMatching(/nothing came for 0\.2 s \(the option stallTimeout\)/),
    });
  });

  test('refuses a stallTimeout that is none', async () => {
    const refused = expect.objectContaining({ code: 'BadValue', path: 'stallTimeout' });
    await expect(doctor(undefined, { stallTimeout: 0 })).rejects.toEqual(refused);
  });
});
