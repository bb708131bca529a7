// The hook in React itself, in a document without a browser.
import type { Encoder, Model, ModelSource } from 'ambry';
import { Window } from 'happy-dom';
import { createElement, StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onDisk } from '../../../tests/web/support/directories/model-directories.ts';
import { ownWorkers } from '../../../tests/web/support/own-workers.ts';
import { smallModel } from '../../../tests/web/support/package.ts';
import { type ModelState, useModel } from '../src/index.ts';

const window = new Window();
Object.assign(globalThis, { window, document: window.document });
const { createRoot } = await import('react-dom/client');

const file = await smallModel();
let root: Root;
let states: ModelState<Model>[];

beforeEach(() => {
  root = createRoot(window.document.createElement('div') as unknown as Element);
  states = [];
});
afterEach(() => root.unmount());

type Options = Parameters<typeof useModel>[1];

function Probe({ source, options }: { source: ModelSource | null; options: Options }) {
  const state = useModel(source, options);
  states.push(state);
  return createElement('p', null, state.status);
}

const render = (source: ModelSource | null, options: Options = {}) =>
  root.render(createElement(Probe, { source, options }));

const last = () => states.at(-1);
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 50_000, interval: 20 });

async function ready(): Promise<Encoder> {
  await eventually(() => last()?.status).toBe('ready');
  const state = last();
  if (state?.status !== 'ready') {
    throw new Error('it is not ready');
  }
  return state.model as Encoder;
}

test('a component shows the model, and gives it back when it goes', async () => {
  render(file, { kind: 'encoder' });
  const model = await ready();
  expect(states[0]).toEqual({ status: 'loading' });
  expect(states.some((state) => state.status === 'loading' && state.progress)).toBe(true);
  expect(await model.embed('the cat')).toHaveLength(model.dim);
  root.unmount();
  await eventually(() => model.embed('the cat').catch((error) => error.code)).toBe('Cancelled');
});

test('the same source is opened once, however often the component is drawn', async () => {
  const { path, remove } = await onDisk(new Map([['small.weights', file]]));
  const { started, createWorker } = ownWorkers();
  const draw = () => render({ path: `${path}/small.weights` }, { createWorker });
  draw();
  draw();
  await ready();
  const drawn = states.length;
  draw();
  await eventually(() => states.length).toBeGreaterThan(drawn);
  expect(last()?.status).toBe('ready');
  expect(started).toHaveLength(1);
  await remove();
});

test('another source or option opens another model, and the first one is given back', async () => {
  render(file);
  const first = await ready();
  render(file, { deterministic: true });
  await eventually(() => last()?.status).toBe('loading');
  const second = await ready();
  expect(second).not.toBe(first);
  await eventually(() => first.embed('a').catch((error) => error.code)).toBe('Cancelled');
  expect(await second.embed('a')).toHaveLength(second.dim);
  render(null);
  await eventually(() => last()).toEqual({ status: 'idle' });
  await eventually(() => second.embed('a').catch((error) => error.code)).toBe('Cancelled');
});

test('a component that goes early ends the opening', async () => {
  const { started, ended, createWorker } = ownWorkers();
  render(file, { createWorker });
  await eventually(() => started.length).toBe(1);
  root.unmount();
  await eventually(ended).toBe(1);
  expect(states.every(({ status }) => status === 'loading')).toBe(true);
});

test('strict mode opens twice and keeps one', async () => {
  const { started, ended, createWorker } = ownWorkers();
  const probe = createElement(Probe, { source: file, options: { createWorker } });
  root.render(createElement(StrictMode, null, probe));
  const model = await ready();
  expect(started.length).toBeLessThanOrEqual(2);
  await eventually(() => started.length - ended()).toBe(1);
  expect(await model.embed('a')).toHaveLength(model.dim);
});

test('an error is a state', async () => {
  render(new Uint8Array(100));
  await eventually(() => last()?.status).toBe('error');
  expect(last()).toMatchObject({ error: { name: 'AmbryError' } });
});
