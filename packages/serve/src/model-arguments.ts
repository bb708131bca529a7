// The models that the command line names.
import { basename } from 'node:path';
import { type Model, type OpenOptions, open, runReport } from 'ambry';
import { keyValueTypes, weightStorages } from 'ambry/tables';
import { integer, oneOf, usageError } from './command-values.ts';
import type { ModelEntries } from './models.ts';

export interface ModelValues {
  readonly context?: string | undefined;
  readonly kv?: string | undefined;
  readonly threads?: string | undefined;
  readonly weights?: string | undefined;
  readonly deterministic?: boolean | undefined;
}

/** Throws for names that come twice. */
export function entriesOf(args: readonly string[], values: ModelValues): ModelEntries {
  const options = openOptions(values);
  const threads = integer(values.threads, '--threads');
  const entries: Record<string, () => Promise<Model>> = {};
  for (const argument of args) {
    const { name, source } = splitArgument(argument);
    if (Object.hasOwn(entries, name)) {
      throw usageError('MODEL', `has the name ${name} twice. Give one of them as NAME=${source}.`);
    }
    entries[name] = () => openSource(source, options, threads);
  }
  return entries;
}

/** A path may have an equals sign, too, but not before its first slash. */
export function splitArgument(argument: string): { name: string; source: string } {
  const [, name, source] = /^([^/\\:=]+)=(.+)$/s.exec(argument) ?? [];
  if (name !== undefined && source !== undefined) return { name, source };
  return { name: nameOf(argument), source: argument };
}

/** `models/chat.gguf` and `hf:owner/chat` are `chat`. */
function nameOf(source: string): string {
  const path = /^https?:/i.test(source) ? decodeURIComponent(new URL(source).pathname) : source;
  const last = basename(path.replace(/^hf:/, '').replace(/@[^/]*$/, ''));
  return last.replace(/\.(?:amb|alt|gguf|weights|safetensors|bin|fifu|ftz)$/i, '') || source;
}

function openOptions(values: ModelValues): OpenOptions {
  const context = integer(values.context, '--context');
  const kv = oneOf(values.kv, '--kv', keyValueTypes);
  const weights = oneOf(values.weights, '--weights', weightStorages);
  return {
    ...(context !== undefined && { context }),
    ...(kv !== undefined && { kv }),
    ...(weights !== undefined && { weights }),
    ...(values.deterministic && { deterministic: true }),
    ...hubOptions(),
  };
}

/** As the command line of Ambry. */
function hubOptions(): Pick<OpenOptions, 'hub' | 'cache'> {
  const { HF_ENDPOINT: endpoint, HF_TOKEN: token } = process.env;
  const hub = { ...(endpoint && { endpoint }), ...(token && { token }) };
  return { cache: { keep: false }, ...(Object.keys(hub).length > 0 && { hub }) };
}

/** Threads are for language models only, so a file is asked first what it holds. */
async function openSource(
  source: string,
  options: OpenOptions,
  threads: number | undefined,
): Promise<Model> {
  const isRemote = /^(?:https?|hf):/i.test(source);
  const given = isRemote ? source : { path: source };
  if (threads === undefined) return open(given, options);
  const { kind } = await runReport(given, options);
  return open(given, { ...options, ...(kind === 'generator' && { threads }) });
}
