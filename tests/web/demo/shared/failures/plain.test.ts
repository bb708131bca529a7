import { expect, test } from 'vitest';
import { namedBase } from '../../../../../web/demo/shared/failures/named-base.ts';
import { plainOf, plainOfModel } from '../../../../../web/demo/shared/failures/plain.ts';
import { AmbryError } from '../../../../../web/src/base/errors.ts';
import {
  badAnswer,
  badStatus,
  changed,
  gotHtml,
  unproven,
  unreachable,
  wrongLength,
} from '../../../../../web/src/sources/http/error.ts';
import { notFollowed } from '../../../../../web/src/sources/hub/base-model.ts';
import { refusal } from '../../../../../web/src/sources/hub/hub-error.ts';

const url = 'https://example.org/a.weights';
const answer = (status: number): Response => new Response('', { status });
const question = {
  url: 'https://huggingface.co/api/models/owner/name',
  endpoint: 'https://huggingface.co',
  repository: 'owner/name',
  revision: 'main',
  hasToken: false,
};
const listed = { repository: 'owner/name', commit: '0'.repeat(40), files: [] };
const noReason = new TypeError('Failed to fetch');

/** The errors are those that the package makes, so a change of its messages fails here. */
test.each([
  [badStatus(answer(404), url), 'There is no file at this address.'],
  [badStatus(answer(410), url), 'There is no file at this address.'],
  [badStatus(answer(403), url), 'The server does not let this page have the file.'],
  [
    badStatus(answer(401), url, true),
    'The hub gives this model only to people who have signed in.',
  ],
  [badStatus(answer(429), url), 'The server has had too many requests.'],
  [badStatus(answer(503), url), 'The server has a problem of its own.'],
  [gotHtml(answer(200), url), 'A web page came instead of the file.'],
  [unreachable(url, noReason), 'example.org does not answer.'],
  [
    unreachable('https://huggingface.co/api/models/a/b', noReason),
    'huggingface.co does not answer.',
  ],
  [wrongLength(url, 10, 20), 'The download broke off.'],
  [badAnswer(answer(200), url, 'No range came'), 'The file could not be had from this address.'],
  [changed(url, 10, 20), 'The file at this address changed while it was read.'],
  [
    unproven(url),
    'The server does not say which version of the file it sends, so parts of it cannot be trusted.',
  ],
  [refusal(answer(404), question), 'The hub has no model of this name.'],
  [
    refusal(answer(401), question),
    'The hub gives this model only to people who have signed in, or there is no such model.',
  ],
  [
    notFollowed(listed, 'some/base'),
    'owner/name has no weights that Ambry opens. It was made of some/base, which has its own.',
  ],
  [new DOMException('full', 'QuotaExceededError'), 'The browser has no space left for this page.'],
  [
    new DOMException('gone', 'NotReadableError'),
    'The file can no longer be read: it was changed, moved or deleted.',
  ],
  [
    new TypeError('Failed to fetch dynamically imported module: https://example.org/a.js'),
    'A part of this page could not be loaded.',
  ],
  [
    new ReferenceError('WebAssembly is not defined'),
    'This browser cannot run the models: it has no WebAssembly, or it is turned off.',
  ],
  [
    new RangeError('WebAssembly.Memory(): could not allocate memory'),
    'There is not enough memory for this.',
  ],
  [new RangeError('Array buffer allocation failed'), 'There is not enough memory for this.'],
  [
    new AmbryError('Crashed', 'The worker died: x'),
    'The part of the page that runs the model stopped.',
  ],
])('%s means: %s', (error, sentence) => {
  expect(plainOf(error, true)?.sentence).toBe(sentence);
});

test('the base that an error names is found', () => {
  expect(namedBase(notFollowed(listed, 'Some.one/base-v1.5'))).toBe('Some.one/base-v1.5');
  expect(namedBase(new AmbryError('NotFound', 'Open hf:a/b', { path: 'source' }))).toBe(null);
  expect(namedBase(undefined)).toBe(null);
});

test('every plain sentence says what to do', () => {
  expect(plainOf(badStatus(answer(404), url), true)?.advice).toMatch(/address/);
});

test('without a network, that is the reason', () => {
  expect(plainOf(unreachable(url, noReason), false)?.sentence).toBe(
    'You are offline, so the address cannot be reached.',
  );
  const part = new TypeError('Failed to fetch dynamically imported module: https://a.test/a.js');
  expect(plainOf(part, false)?.sentence).toMatch(/a part of this page is not on your machine yet/);
  expect(plainOfModel(new AmbryError('BadMagic', 'x'), false)?.sentence ?? '').not.toMatch(
    /offline/,
  );
});

test.each([
  [
    'BadMagic',
    'not a model file that is known here (alt, amb); this is a gzip file: unpack it first',
    0,
    'This is a gzip file, not a model.',
    'Unpack it first.',
  ],
  [
    'BadMagic',
    'not a model file that is known here (alt, amb); this is a TensorFlow Lite model (LiteRT): take another',
    0,
    'This is a TensorFlow Lite model (LiteRT), which Ambry does not read.',
    'Take another.',
  ],
  [
    'BadMagic',
    'not a model file that is known here (alt, amb); this is a PNG image',
    0,
    'This is a PNG image, not a model.',
    '',
  ],
  [
    'BadMagic',
    'not a model file that is known here (alt, amb)',
    0,
    'This is not a model that Ambry knows.',
    /Check page/,
  ],
  ['Truncated', 'the file is empty', 0, 'The file is empty.', /again/],
  ['Truncated', 'needs 8 bytes', 20, 'Cut off: its end is missing.', /again/],
  [
    'UnsupportedVersion',
    'version 9',
    4,
    'The file has a version that Ambry does not know.',
    /again/,
  ],
  ['BadValue', 'is negative', 12, 'The file is damaged, or was written wrongly.', /again/],
] as const)('%s of a model: %s', (code, message, byteOffset, sentence, advice) => {
  const plain = plainOfModel(new AmbryError(code, message, { byteOffset }), true);
  expect(plain?.sentence).toBe(sentence);
  expect(plain?.advice).toMatch(advice);
});

test('messages that are plain enough stay as they are', () => {
  const own = new AmbryError('LimitExceeded', 'The prompt has 900 tokens.', { path: 'prompt' });
  expect(plainOf(own, true)).toBeNull();
  expect(plainOf(new Error('No files were found.'), true)).toBeNull();
  // Only a file that is opened as a model is damaged by this.
  expect(plainOf(new AmbryError('BadValue', 'x', { byteOffset: 1 }), true)).toBeNull();
});
