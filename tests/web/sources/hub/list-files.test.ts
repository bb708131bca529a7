// The hub's lists: one commit, all files, and nothing that a hostile list says.
import { describe, expect, test } from 'vitest';
import type { HubName } from '../../../../web/src/sources/hub/hub-name.ts';
import { type HubListOptions, listFiles } from '../../../../web/src/sources/hub/list-files.ts';
import { ByteServer } from '../../support/servers/byte-server.ts';
import { commitOf, sha256Of } from '../../support/servers/hub-server.ts';
import { startHub } from '../../support/servers/server.ts';

const hub = await startHub();
const files = new Map(
  ['config.json', 'model.safetensors', 'sub dir/ä.bin', 'README.md', 'a.gguf'].map((path, i) => [
    path,
    new Uint8Array(10 + i),
  ]),
);
const commit = commitOf(files);
const named = (repository: string, revision?: string): HubName => ({
  repository,
  revision,
  path: undefined,
});

const list = (name: HubName, options: HubListOptions = {}) => {
  hub.forget();
  return listFiles(name, { hub: { endpoint: hub.endpoint }, ...options });
};
const sizes = [...files].map(([path, { length }]) => [path, length]);

describe('a list', () => {
  test('is of one commit, and takes one request', async () => {
    hub.add('owner/full', files);
    const found = await list(named('owner/full'));
    expect(hub.paths).toEqual(['/api/models/owner/full/revision/main?blobs=true']);
    expect(found.commit).toBe(commit);
    expect(found.files.map(({ path, size }) => [path, size])).toEqual(sizes);
    const [, model, spaced] = found.files;
    expect(model?.url.href).toBe(`${hub.endpoint}/owner/full/resolve/${commit}/model.safetensors`);
    expect(model?.url.hub).toEqual({ sha256: sha256Of(new Uint8Array(11)) });
    expect(spaced?.url.pathname).toBe(`/owner/full/resolve/${commit}/sub%20dir/%C3%A4.bin`);
  });

  test.each(['bare', 'none'] as const)('comes in pages where siblings are %s', async (siblings) => {
    hub.add('owner/pages', files, { siblings, pageSize: 2 });
    const found = await list(named('owner/pages'));
    expect(found.files.map(({ path, size }) => [path, size])).toEqual(sizes);
    expect(found.files[1]?.url.hub.sha256).toBe(sha256Of(new Uint8Array(11)));
    const tree = `/api/models/owner/pages/tree/${commit}?recursive=true`;
    expect(hub.paths.slice(1)).toEqual([tree, `${tree}&cursor=2`, `${tree}&cursor=4`]);
  });

  test('has no sizes if the hub tells none', async () => {
    hub.add('owner/bare', files, { siblings: 'bare' });
    const found = await list(named('owner/bare'));
    expect(found.files.map(({ path, size }) => [path, size])).toEqual(
      [...files.keys()].map((path) => [path, undefined]),
    );
  });

  test('is of the revision that is named', async () => {
    const { branches } = hub.add('owner/branches', files);
    const other = new Map([['other.gguf', new Uint8Array(3)]]);
    branches.set('refs/pr/1', other);
    const found = await list(named('owner/branches', 'refs/pr/1'));
    expect(hub.paths[0]).toContain('/revision/refs%2Fpr%2F1?');
    expect(found.files.map(({ path }) => path)).toEqual(['other.gguf']);
    expect((await list(named('owner/branches', commit))).commit).toBe(commit);
  });
});

describe('an error', () => {
  const failing = (name: HubName, options?: HubListOptions) =>
    list(name, options).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('names a repository or a revision that is missing', async () => {
    expect(await failing(named('owner/nothing'))).toMatchObject({
      code: 'NotFound',
      path: 'source',
      message: expect.stringContaining('no repository owner/nothing'),
    });
    hub.add('owner/full', files);
    expect(await failing(named('owner/full', 'v9'))).toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('owner/full has no revision "v9"'),
    });
  });

  test('says what a gated repository needs', async () => {
    hub.add('owner/gated', files, { token: 'hf_secret' });
    const { endpoint } = hub;
    expect(await failing(named('owner/gated'))).toMatchObject({
      code: 'Http',
      path: 'hub.token',
      message: expect.stringMatching(/gated or private, or does not exist.*401.*hub\.token/),
    });
    const wrong = await failing(named('owner/gated'), { hub: { endpoint, token: 'hf_wrong' } });
    expect(wrong).toMatchObject({
      code: 'Http',
      path: 'hub.token',
      message: expect.stringContaining('The token may not read owner/gated'),
    });
    expect(String(wrong)).not.toContain('hf_wrong');
    const found = await list(named('owner/gated'), { hub: { endpoint, token: 'hf_secret' } });
    expect(found.files).toHaveLength(files.size);
    expect(hub.requests[0]?.authorization).toBe('Bearer hf_secret');
  });

  test('does not wait for a silent hub for ever', async () => {
    hub.isSilent = true;
    const error = await failing(named('owner/full'), {
      hub: { endpoint: hub.endpoint },
      stallTimeout: 100,
    });
    hub.isSilent = false;
    expect(error).toMatchObject({ code: 'Http' });
    expect(String(error)).toContain('nothing came for 0.1 s');
  });

  test('is an abort after an abort', async () => {
    hub.isSilent = true;
    const controller = new AbortController();
    const waiting = failing(named('owner/full'), {
      hub: { endpoint: hub.endpoint },
      signal: controller.signal,
    });
    controller.abort();
    expect(await waiting).toMatchObject({ name: 'AbortError' });
    hub.isSilent = false;
  });
});

describe('a hostile list', () => {
  const refused = (body: unknown, route: 'revision' | 'tree' = 'revision') => {
    const siblings = route === 'tree' ? { siblings: 'none' as const } : {};
    hub.add('owner/hostile', files, {
      ...siblings,
      pageSize: 1000,
      list: (asked, own) => (asked === route ? body : own),
    });
    return list(named('owner/hostile')).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  const siblings = (...rfilenames: unknown[]) => ({
    sha: commit,
    siblings: rfilenames.map((rfilename) => ({ rfilename, size: 1 })),
  });

  test.each([
    '../x',
    '/etc/x',
    'a\\b',
    'a\u0000b',
    'a/./b',
    'x'.repeat(2000),
    '',
    7,
    null,
  ])('with the path %j', async (path) => {
    expect(await refused(siblings('config.json', path))).toMatchObject({
      code: 'Http',
      path: 'siblings[1].rfilename',
    });
    expect(await refused([{ type: 'file', path, size: 1 }], 'tree')).toMatchObject({
      code: 'Http',
      path: '[0].path',
    });
  });

  test.each([
    ['no JSON', '<!doctype html>'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no commit', { siblings: [] }],
    ['a commit that is none', { sha: '../../x', siblings: [] }],
    ['siblings that are no list', { sha: commit, siblings: 'x' }],
    ['siblings of numbers', { sha: commit, siblings: [1] }],
  ])('that is %s', async (_, body) => {
    expect(await refused(body)).toMatchObject({ code: 'Http' });
  });

  test.each([
    ['files', siblings(...Array.from({ length: 100_001 }, (_, i) => `${i}`)), '100000 files'],
    ['bytes', `"${'x'.repeat(17 << 20)}"`, '16777216 bytes'],
  ])('with too many %s', async (_, body, limit) => {
    expect(await refused(body)).toMatchObject({
      code: 'LimitExceeded',
      message: expect.stringContaining(limit),
    });
  });

  test('that has no end', async () => {
    const endless: ByteServer = await ByteServer.start((request, response) => {
      const isTree = request.url?.includes('/tree/');
      response.setHeader('link', `<${endless.origin}${request.url}>; rel="next"`);
      response.end(isTree ? '[]' : JSON.stringify({ sha: commit }));
    });
    const error = await list(named('owner/endless'), { hub: { endpoint: endless.origin } }).catch(
      (thrown: unknown) => thrown,
    );
    endless.close();
    expect(error).toMatchObject({ code: 'LimitExceeded' });
  });

  test('that goes on at another host does not get the token there', async () => {
    const asked: unknown[] = [];
    const other = await ByteServer.start((request, response) => {
      asked.push(request.headers.authorization);
      response.end('[]');
    });
    const lying = await ByteServer.start((request, response) => {
      response.setHeader('link', `<${other.origin}/next>; rel="next"`);
      response.end(request.url?.includes('/tree/') ? '[]' : JSON.stringify({ sha: commit }));
    });
    const options = { hub: { endpoint: lying.origin, token: 'hf_secret' } };
    const error = await list(named('owner/lying'), options).catch((thrown: unknown) => thrown);
    other.close();
    lying.close();
    expect(error).toMatchObject({ code: 'Http', message: expect.stringContaining('another host') });
    expect(asked).toEqual([]);
  });
});
