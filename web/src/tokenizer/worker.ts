// The calls of a worker that serves a tokenizer by itself, of any kind.

import { AmbryError } from '../base/errors.ts';
import type { TokenizerInfo } from '../model/file-info.ts';
import { openHead } from '../model/worker-load.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { unwrap } from '../runtime/worker-heap.ts';
import { requireOpen } from '../runtime/worker-open-check.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { NamedSource } from '../sources/base/wire.ts';
import type { TokenizerModel, TokenizerModule } from '../wasm/module.mjs';
import type { OpenedTokenizer, TokenizerCalls } from './protocol.ts';
import { tokenHandlers } from './worker-tokens.ts';

type Runtime = WorkerRuntime<TokenizerModule>;
type Facts = TokenizerInfo & Omit<OpenedTokenizer, 'info'>;

/** More than the settings of any tokenizer have. */
const mostBytes = 16 << 20;

export function tokenizerHandlers(runtime: Runtime): Handlers<TokenizerCalls> {
  let opened: TokenizerModel | undefined;

  return {
    openTokenizer: async ({ name = '', source: wire, beside = [], ...given }, context) => {
      const stated = await settingsOf(runtime, beside, context);
      const lowercase = name === 'vocab.txt' ? stated.lowercase : undefined;
      if (lowercase !== undefined && given.lowercase !== undefined) {
        const message = 'The tokenizer_config.json says it (do_lower_case). Leave this option out.';
        throw new AmbryError('BadValue', message, { path: 'lowercase' });
      }
      const options = {
        lowercase: lowercase ?? given.lowercase,
        encoding: given.encoding,
        ends: name === 'tokenizer.json' ? endsOf(stated) : undefined,
      };
      return runtime.withSource(wire, context, async (module, source) => {
        opened = await openHead(module, 'tokenizer', source, options);
        return together(unwrap(module.modelFacts(opened)).info as Facts, stated);
      });
    },

    ...tokenHandlers(runtime, () => requireOpen(opened)),
  };
}

interface Stated
  extends Omit<OpenedTokenizer, 'info'>,
    Pick<TokenizerInfo, 'lowercase' | 'warnings'> {
  /** Whether the tokenizer begins texts with `bos`. */
  readonly addBos?: boolean;
  /** Whether it ends texts with `eos`. */
  readonly addEos?: boolean;
}

function endsOf({ addBos, addEos, specialTokens: { bos, eos } }: Stated) {
  return { addBos, addEos, bos, eos };
}

/** Templates in the tokenizer's own file count first. */
function together(facts: Facts, stated: Stated): OpenedTokenizer {
  const { chatTemplate, named, specialTokens, ...info } = facts;
  const hasOwn = chatTemplate !== null || Object.keys(named).length > 0;
  const templates = hasOwn ? { chatTemplate, named } : stated;
  const warnings = [...(info.warnings ?? []), ...((hasOwn ? undefined : stated.warnings) ?? [])];
  return {
    info: warnings.length > 0 ? { ...info, warnings } : info,
    chatTemplate: templates.chatTemplate,
    named: templates.named,
    specialTokens: { ...specialTokens, ...stated.specialTokens },
  };
}

/** The core reads what the files of its directory say. */
async function settingsOf(
  runtime: Runtime,
  files: readonly NamedSource[],
  context: CallContext,
): Promise<Stated> {
  const held: (readonly [name: string, bytes: Uint8Array])[] = [];
  for (const { name, source } of files) {
    const bytes = await runtime.withSource(source, context, async (_, file) => {
      const size = await file.measure();
      if (size > mostBytes) {
        const message = `${name} has ${size} bytes; at most ${mostBytes} are supported.`;
        throw new AmbryError('LimitExceeded', message, { path: name });
      }
      return file.read(0, size);
    });
    held.push([name, bytes]);
  }
  const sizes = JSON.stringify(held.map(([name, { length }]) => [name, length]));
  const module = await runtime.wasm();
  return unwrap(module.tokenizerSettings(sizes, joined(held.map(([, bytes]) => bytes)))) as Stated;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
