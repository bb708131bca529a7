// The store with Svelte's own subscriptions.
import type { Encoder, Model } from 'ambry';
import { derived, get } from 'svelte/store';
import { expect, test } from 'vitest';
import { ownWorkers } from '../../../tests/web/support/own-workers.ts';
import { smallModel } from '../../../tests/web/support/package.ts';
import { type ModelState, modelStore } from '../src/index.ts';

const file = await smallModel();
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 50_000, interval: 20 });

test('the model is there for subscribers, and is given back after the last one', async () => {
  const store = modelStore(file, { kind: 'encoder' });
  const states: ModelState<Encoder>[] = [];
  const [first, second] = [
    store.subscribe((state) => states.push(state)),
    store.subscribe(() => {}),
  ];
  expect(states).toEqual([{ status: 'loading' }]);
  await eventually(() => states.at(-1)?.status).toBe('ready');
  expect(states.some((state) => state.status === 'loading' && state.progress)).toBe(true);
  const state = get(store);
  if (state.status !== 'ready') {
    throw new Error('it is not ready');
  }
  first();
  expect(await state.model.embed('the cat')).toHaveLength(state.model.dim);
  second();
  await eventually(() => state.model.embed('a').catch((error) => error.code)).toBe('Cancelled');
});

test('the next subscriber opens it again', async () => {
  const { started, createWorker } = ownWorkers();
  const store = derived(modelStore(file, { createWorker }), ({ status }) => status);
  for (const count of [1, 2]) {
    const seen: string[] = [];
    const unsubscribe = store.subscribe((status) => void seen.push(status));
    await eventually(() => seen.at(-1)).toBe('ready');
    expect(seen[0]).toBe('loading');
    expect(started).toHaveLength(count);
    unsubscribe();
  }
});

test('a subscriber that goes early ends the opening', async () => {
  const { started, ended, createWorker } = ownWorkers();
  const states: ModelState<Model>[] = [];
  const unsubscribe = modelStore(file, { createWorker }).subscribe((state) => states.push(state));
  await eventually(() => started.length).toBe(1);
  unsubscribe();
  await eventually(ended).toBe(1);
  expect(states.every(({ status }) => status === 'loading')).toBe(true);
});

test('an error is a state', async () => {
  const states: ModelState<Model>[] = [];
  const unsubscribe = modelStore(new Uint8Array(100)).subscribe((state) => states.push(state));
  await eventually(() => states.at(-1)?.status).toBe('error');
  expect(states.at(-1)).toMatchObject({ error: { name: 'AmbryError' } });
  unsubscribe();
});
