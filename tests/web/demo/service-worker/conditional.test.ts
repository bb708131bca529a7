// Kept files are answered as a server answers: whole, in parts, or not at all.
import { describe, expect, it, test } from 'vitest';
import { answerFrom } from '../../../../web/demo/service-worker/conditional.ts';

const text = 'abcdefghijklmnopqrstuvwxyz';
const date = 'Sat, 21 Nov 2020 10:00:00 GMT';
const before = 'Fri, 20 Nov 2020 10:00:00 GMT';
const after = 'Sun, 22 Nov 2020 10:00:00 GMT';

const kept = (headers: Record<string, string> = { etag: '"one"', 'last-modified': date }) =>
  new Response(text, { headers: { 'content-type': 'application/x', ...headers } });

async function answer(asked: Record<string, string>, from = kept()) {
  const response = await answerFrom(from, new Headers(asked));
  const { status, headers } = response;
  return { status, range: headers.get('content-range'), headers, body: await response.text() };
}

test.each([
  ['bytes=0-4', 'bytes 0-4/26', 'abcde'],
  ['bytes=25-25', 'bytes 25-25/26', 'z'],
  ['bytes=24-', 'bytes 24-25/26', 'yz'],
  ['bytes=20-999', 'bytes 20-25/26', 'uvwxyz'],
  ['bytes=-3', 'bytes 23-25/26', 'xyz'],
  ['bytes=-999', 'bytes 0-25/26', text],
  ['BYTES=0-0', 'bytes 0-0/26', 'a'],
])('the range %s is answered in part', async (range, contentRange, body) => {
  const found = await answer({ range });
  expect(found).toMatchObject({ status: 206, range: contentRange, body });
  expect(found.headers.get('content-length')).toBe(String(body.length));
  expect(found.headers.get('content-type')).toBe('application/x');
  expect(found.headers.get('etag')).toBe('"one"');
});

test.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])('the range %s is refused', async (range) => {
  expect(await answer({ range })).toMatchObject({ status: 416, range: 'bytes */26', body: '' });
});

test.each([
  'bytes=5-4',
  'bytes=0-1,3-4',
  'bytes=a-b',
  'bytes=-',
  'lines=1-2',
  '',
])('the range "%s" is ignored', async (range) => {
  expect(await answer({ range })).toMatchObject({ status: 200, range: null, body: text });
});

it('answers whole without a range', async () => {
  expect(await answer({})).toMatchObject({ status: 200, body: text });
});

it('an empty file has no range', async () => {
  const empty = () => new Response('', { headers: { etag: '"none"' } });
  for (const range of ['bytes=0-0', 'bytes=-1']) {
    expect(await answer({ range }, empty())).toMatchObject({ status: 416, range: 'bytes */0' });
  }
});

describe('If-Range', () => {
  test.each([
    ['"one"', 206],
    ['"two"', 200],
    ['W/"one"', 200],
    [date, 206],
    [after, 200],
  ])('%s gives %i', async (version, status) => {
    expect(await answer({ range: 'bytes=0-0', 'if-range': version })).toMatchObject({ status });
  });

  it('a weak tag proves nothing', async () => {
    const weak = kept({ etag: 'W/"one"' });
    const asked = { range: 'bytes=0-0', 'if-range': 'W/"one"' };
    expect(await answer(asked, weak)).toMatchObject({ status: 200, body: text });
  });
});

describe('what has not changed is not sent', () => {
  test.each([
    [{ 'if-none-match': '"one"' }, 304],
    [{ 'if-none-match': 'W/"one"' }, 304],
    [{ 'if-none-match': '"zero", "one"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"two"' }, 200],
    [{ 'if-none-match': '"two"', 'if-modified-since': after }, 200],
    [{ 'if-modified-since': date }, 304],
    [{ 'if-modified-since': after }, 304],
    [{ 'if-modified-since': before }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
  ] as const)('%j gives %i', async (asked, status) => {
    const found = await answer(asked);
    expect(found).toMatchObject({ status, body: status === 304 ? '' : text });
    expect(found.headers.get('etag')).toBe('"one"');
  });

  it('also if a range is asked for', async () => {
    const asked = { range: 'bytes=0-0', 'if-none-match': '"one"' };
    expect(await answer(asked)).toMatchObject({ status: 304, range: null });
  });
});
