// What a page gets to know of a worker that dies.
import { expect, test } from 'vitest';
import { notLoaded, webPort } from '../../../web/src/rpc/port.ts';

/** The reason for which a worker died, by the message of its event. */
function reasonFor(message: string): unknown {
  const worker = new EventTarget() as Worker;
  let reason: unknown;
  webPort(worker).listen(
    () => {},
    (given) => {
      reason = given;
    },
  );
  worker.dispatchEvent(Object.assign(new Event('error'), { message }));
  return reason;
}

test.each([
  ['RuntimeError: unreachable', 'RuntimeError: unreachable'],
  ['', notLoaded],
])('the event %j is the reason %j', (message, reason) => {
  expect(reasonFor(message)).toBe(reason);
});

test('a part that a bundler has lost is an error that names the line to add', () => {
  expect(reasonFor("Uncaught Error: Cannot find module 'dspfP'")).toMatchObject({
    code: 'Unsupported',
    message:
      'The bundler has lost a part of a worker: Uncaught Error: Cannot find module \'dspfP\'. With Parcel, add to package.json: "@parcel/bundler-default": { "minBundles": 1000000 }',
  });
});
