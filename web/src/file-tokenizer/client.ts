// A tokenizer by itself, on the caller's side: text to tokens and back, and conversations to prompts.
import { AmbryError } from '../base/errors.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import type { ChatMessage, ChatTemplateOptions } from '../generator/base/types.ts';
import { Conversations } from '../generator/templates/conversations.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { type Connection, keepWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { FetchOptions, ModelDirectory, ModelSource } from '../sources/base/types.ts';
import type { NamedSource } from '../sources/base/wire.ts';
import { transferOf, wireSource } from '../sources/wire-source.ts';
import { Tokenizer } from '../tokenizer/client.ts';
import type { OpenedTokenizer, TokenCalls, TokenizerCalls } from '../tokenizer/protocol.ts';
import type { TokenEncoding, TokenizerFileOptions } from '../tokenizer/types.ts';
import { tokenizerFilesOf } from './find-files.ts';

const encodingNames: OptionNames<Exclude<TokenEncoding, string>> = {
  pattern: true,
  specialTokens: true,
};
const tokenizerFileNames: OptionNames<TokenizerFileOptions> = { lowercase: true, encoding: true };

/**
 * A tokenizer without a model.
 *
 * @example
 * const tokenizer = await openTokenizer('/models/tokenizer.json');
 * const [count] = await tokenizer.tokenCounts(['Hello world']);
 */
export class FileTokenizer extends Tokenizer {
  /** The Jinja template for conversations of the file or of its directory. Null when there is none. */
  readonly chatTemplate: string | null;
  readonly #conversations: Conversations;

  /** @internal */
  constructor(connection: Connection<TokenCalls>, opened: OpenedTokenizer) {
    super(connection, opened.info);
    this.chatTemplate = opened.chatTemplate;
    this.#conversations = new Conversations(connection, opened);
  }

  /**
   * Renders a conversation as the text of a prompt, by the template of the file or of its directory, or by the one that is
   * given. The template runs in a worker of its own. It writes the special tokens, so the text is tokenized with
   * `special: false`.
   *
   * Rejects with `NotFound` when there is no template, with `BadValue` when it fails, and with `LimitExceeded` when it
   * takes too much time or memory, each at `chatTemplate`; and with `BadValue` at `messages…` or `variables…`.
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
  const { lowercase, encoding } = options;
  await checkOptions(options);
  const { name, file, beside } = await tokenizerFilesOf(platform, source, options);
  const { sha256: _, ...others } = options;
  const wire = await wireSource(platform.locate, file, options);
  const settings: NamedSource[] = [];
  for (const [path, each] of beside) {
    settings.push({ name: path, source: await wireSource(platform.locate, each, others) });
  }
  const input = { name, source: wire, beside: settings, lowercase, encoding };
  const transfer = [wire, ...settings.map((each) => each.source)].flatMap(transferOf);
  return keepWorker<TokenizerCalls, FileTokenizer>(
    platform,
    options,
    'tokenizer',
    async (connection) => {
      const call = { ...options, transfer };
      const opened = await connection.channel.call('openTokenizer', input, call);
      return new FileTokenizer(connection, opened);
    },
  );
}

async function checkOptions({ lowercase, encoding }: TokenizerFileOptions): Promise<void> {
  if (lowercase !== undefined && typeof lowercase !== 'boolean') {
    const message = `Must be true or false, not ${String(lowercase)}.`;
    throw new AmbryError('BadValue', message, { path: 'lowercase' });
  }
  if (encoding === undefined || typeof encoding === 'string') {
    return;
  }
  if (typeof encoding !== 'object' || encoding === null) {
    const message = 'Must be the name of an encoding, or an object of pattern and specialTokens.';
    throw new AmbryError('BadValue', message, { path: 'encoding' });
  }
  await refuseUnknown(encoding, encodingNames, 'options.encoding');
}
