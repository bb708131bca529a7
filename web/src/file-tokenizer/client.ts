// A tokenizer by itself, on the caller's side: text to tokens and back, and conversations to prompts.

import { checkMethods } from '../base/call.ts';
import { flag, isObject, list, object, options, text } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { Problem } from '../base/problem.ts';
import type { ChatMessage, ChatTemplateOptions } from '../generator/base/types.ts';
import { Conversations } from '../generator/templates/conversations.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { type Connection, keepWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/base/types.ts';
import type { NamedSource, WireSource } from '../sources/base/wire.ts';
import { hasModelTokenizer } from '../sources/directory/model-files.ts';
import { transferOf, wireSource } from '../sources/wire-source.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import type { OpenedTokenizer, TokenCalls, TokenizerCalls } from '../tokenizer/protocol.ts';
import type { TokenEncoding, TokenizerFileOptions } from '../tokenizer/types.ts';
import { type OneFile, tokenizerFilesOf } from './find-files.ts';

const encodingNames: OptionNames<Exclude<TokenEncoding, string>> = {
  pattern: text,
  specialTokens: object,
};
const tokenizerFileNames: OptionNames<TokenizerFileOptions> = {
  lowercase: flag,
  encoding: {
    words: 'the name of an encoding, or { pattern, specialTokens }',
    is: (value) => text.is(value) || isObject(value),
    options: encodingNames,
  },
};

/**
 * A tokenizer without a model.
 *
 * @example
 * const tokenizer = await openTokenizer('/models/tokenizer.json');
 * const [count] = await tokenizer.tokenCounts(['Hello world']);
 */
export class FileTokenizer extends Tokenizer {
  /** The Jinja template of the file or of its directory for conversations that ask for no other. Null when there is none. */
  readonly chatTemplate: string | null;
  /** The names of all its templates, such as `default`, `tool_use` and `rag`. */
  readonly chatTemplates: readonly string[];
  readonly #conversations: Conversations;

  /** @internal */
  constructor(connection: Connection<TokenCalls>, opened: OpenedTokenizer) {
    super(connection, opened.info);
    this.chatTemplate = opened.chatTemplate;
    this.chatTemplates = [
      ...(opened.chatTemplate === null ? [] : ['default']),
      ...Object.keys(opened.named),
    ];
    this.#conversations = new Conversations(connection, opened);
  }

  /**
   * Renders a conversation as the text of a prompt, by the template of the file or of its directory, or by the one that is
   * given. The template runs in a worker of its own. It writes the special tokens, so the text is tokenized with
   * `special: false`.
   *
   * There may be several templates. The one with the name `tool_use` is taken if `variables` has `tools`, `rag` if it has
   * `documents`, else the default. `template` takes a name, too.
   *
   * Rejects with `NotFound` when there is no template, or none of the given name, with `BadValue` when it fails, and with
   * `LimitExceeded` when it takes too much time or memory, each at `chatTemplate`; and with `BadValue` at `messages…` or
   * `variables…`.
   *
   * @example
   * const tokenizer = await openTokenizer('/models/tokenizer.json');
   * const template = '{% for m in messages %}{{ m.content }}{% endfor %}';
   * const prompt = await tokenizer.applyChatTemplate([{ role: 'user', content: 'Hello' }], { template });
   * const { ids } = await tokenizer.tokenize(prompt, { special: false });
   */
  applyChatTemplate(
    messages: readonly ChatMessage[],
    options: ChatTemplateOptions = {},
  ): Promise<string> {
    return this.#conversations.apply(messages, options);
  }

  override dispose(): Promise<void> {
    this.#conversations.end();
    return super.dispose();
  }
}

checkMethods(FileTokenizer, { applyChatTemplate: { messages: list, options } });

export type OpenTokenizerOptions = JobOptions &
  RuntimeOptions &
  FetchOptions &
  TokenizerFileOptions;

export async function openTokenizer(
  platform: Platform,
  source: ModelSource | ModelDirectory,
  options: OpenTokenizerOptions,
): Promise<FileTokenizer> {
  await refuseUnknown(options, { ...sourceJobNames, ...tokenizerFileNames });
  const files = await tokenizerFilesOf(platform, source, options);
  const { input, warnings } =
    'small' in files
      ? await inputOfModel(platform, files.small, options)
      : { input: await inputOfFile(platform, files, options), warnings: [] };
  const transfer = [input.source, ...input.beside.map((each) => each.source)].flatMap(transferOf);
  return keepWorker<TokenizerCalls, FileTokenizer>(
    platform,
    options,
    'tokenizer',
    async (connection) => {
      const call = { ...options, transfer };
      const opened = await connection.channel.call('openTokenizer', input, call);
      return new FileTokenizer(connection, withWarnings(opened, warnings));
    },
  );
}

type Input = TokenizerCalls['openTokenizer']['in'] & { readonly beside: readonly NamedSource[] };

async function inputOfFile(
  platform: Platform,
  { name, file, beside }: OneFile,
  options: OpenTokenizerOptions,
): Promise<Input> {
  const { sha256: _, ...others } = options;
  const source = await wireSource(platform.locate, file, options);
  const { lowercase, encoding } = options;
  return { name, source, beside: await wired(platform, beside, others), lowercase, encoding };
}

/** The core reads the files of a model together, as `open` has them read, and makes one of them. */
async function inputOfModel(
  platform: Platform,
  small: readonly (readonly [string, ModelSource])[],
  options: OpenTokenizerOptions,
): Promise<{ input: Input; warnings: readonly Problem[] }> {
  const { sha256: _, ...others } = options;
  // The caller's hash is that of the file with the tokens.
  const [held] = small.filter(([name]) => hasModelTokenizer([name]));
  const files: Record<string, WireSource> = {};
  for (const [name, file] of small) {
    const own = name === held?.[0] ? options : others;
    files[name] = await wireSource(platform.locate, file, own);
  }
  const { tokenizerFile } = await import('../convert/tokenizer-file.ts');
  const { blob, warnings, settings } = await tokenizerFile(platform, files, options);
  return { input: { source: { kind: 'blob', blob }, beside: settings }, warnings };
}

async function wired(
  platform: Platform,
  files: readonly (readonly [string, ModelSource])[],
  options: OpenTokenizerOptions,
): Promise<NamedSource[]> {
  const named: NamedSource[] = [];
  for (const [name, file] of files) {
    named.push({ name, source: await wireSource(platform.locate, file, options) });
  }
  return named;
}

function withWarnings(opened: OpenedTokenizer, more: readonly Problem[]): OpenedTokenizer {
  const warnings = [...more, ...(opened.info.warnings ?? [])];
  return warnings.length > 0 ? { ...opened, info: { ...opened.info, warnings } } : opened;
}
