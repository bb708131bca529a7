// What model is in use, how much of it is in memory, and the ways to others.

import { byId } from '../shared/dom.ts';
import { formatBytes, formatCount, formatRoughly } from '../shared/format.ts';
import { formatName } from '../shared/format-names.ts';
import { mountLoadedPanel } from '../shared/loaded-panel.ts';
import type { Store } from '../shared/store.ts';
import type { ChatSession } from './session.ts';
import type { MemoryChoice } from './settings.ts';
import type { ChatState, LoadedModel } from './state.ts';

const kMegabyte = 1e6;

function lineOf({ model: { info }, generator, builtIn }: LoadedModel): string {
  const kind = `${formatName(info.format)}, ${generator.architecture}, ${formatBytes(info.bytes)}`;
  return builtIn ? `${kind}, built in` : kind;
}

function factsOf({ model, generator }: LoadedModel): (readonly [string, string])[] {
  const { info } = model;
  return [
    ['Format', `${formatName(info.format)} ${info.version}`],
    ['Architecture', generator.architecture],
    ['Layers', formatCount(generator.layers)],
    ['Tokens', formatCount(generator.vocabulary)],
    ['Context', formatCount(generator.context)],
    ['File', `${formatBytes(info.bytes)} (${formatCount(info.bytes)} bytes)`],
    ['Weights in memory', formatBytes(model.weightBytes)],
    ['A token of context', formatBytes(generator.keyValueBytes)],
    ['WebAssembly', model.flavour === 'relaxed' ? 'relaxed SIMD' : 'SIMD'],
  ];
}

/** What the choice of memory comes to with this model. */
export function memoryLine({ model, generator }: LoadedModel): string {
  const context = `A full context takes ${formatBytes(generator.context * generator.keyValueBytes)}.`;
  const { streaming } = generator;
  if (streaming === null) {
    return `All weights are in memory: ${formatBytes(model.weightBytes)}. ${context}`;
  }
  const { resident, bytesPerPass, tokensPerSecond } = streaming;
  return (
    `At most ${formatBytes(resident)} of weights are in memory; ` +
    `${formatBytes(bytesPerPass)} are read for each token, which makes about ` +
    `${formatRoughly(tokensPerSecond)} tokens/s. ${context}`
  );
}

function mountMemory(store: Store<ChatState>, session: ChatSession): void {
  const resident = byId('resident', HTMLInputElement);
  const kv = byId('kv', HTMLSelectElement);
  const line = byId('memory-line', HTMLElement);
  const hold = (): void => {
    if (resident.reportValidity()) {
      const bytes = resident.value === '' ? null : resident.valueAsNumber * kMegabyte;
      void session.holdIn({ resident: bytes, kv: kv.value as MemoryChoice['kv'] });
    }
  };
  resident.addEventListener('change', hold);
  kv.addEventListener('change', hold);
  store.watch(['memory', 'loaded'], ({ memory, loaded }) => {
    resident.value = memory.resident === null ? '' : String(memory.resident / kMegabyte);
    kv.value = memory.kv;
    line.textContent = loaded === null ? '' : memoryLine(loaded);
    if (loaded !== null && loaded.generator.streaming !== null) {
      byId('memory', HTMLDetailsElement).open = true;
    }
  });
}

export function mountModelPanel(store: Store<ChatState>, session: ChatSession): void {
  mountLoadedPanel(store, session, 'model', { line: lineOf, facts: factsOf });
  mountMemory(store, session);
}
