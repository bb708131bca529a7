// What the files beside a tokenizer say: templates for conversations, special tokens, and the letter case of a vocab.txt.
import { AmbryError, messageOf } from '../base/errors.ts';

interface TokenizerSettings {
  readonly chatTemplate?: string;
  /** Texts by role, such as `bos`. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** Whether texts are lower-cased. */
  readonly lowercase?: boolean;
}

const config = 'tokenizer_config.json';

/** Takes the texts of the files by their names. */
export function settingsIn(files: ReadonlyMap<string, string>): TokenizerSettings {
  const stated = objectIn(files, config);
  const chatTemplate =
    files.get('chat_template.jinja') ??
    templateIn(objectIn(files, 'chat_template.json'), 'chat_template.json') ??
    templateIn(stated, config);
  const lowercase = stated['do_lower_case'];
  if (lowercase !== undefined && lowercase !== null && typeof lowercase !== 'boolean') {
    throw invalid(
      `${config}.do_lower_case`,
      `must be true or false, not ${JSON.stringify(lowercase)}`,
    );
  }
  return {
    specialTokens: specialTokensIn(stated),
    ...(chatTemplate !== undefined && { chatTemplate }),
    ...(typeof lowercase === 'boolean' && { lowercase }),
  };
}

type Stated = Readonly<Record<string, unknown>>;

function objectIn(files: ReadonlyMap<string, string>, name: string): Stated {
  const text = files.get(name);
  if (text === undefined) {
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AmbryError('BadValue', `${name} is not JSON: ${messageOf(cause)}`, {
      path: name,
      cause,
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(name, 'must be an object');
  }
  return value as Stated;
}

/** One text, or a list of templates with names, of which the one called `default` is for conversations. */
function templateIn({ chat_template: given }: Stated, file: string): string | undefined {
  if (typeof given === 'string' || given === undefined || given === null) {
    return given ?? undefined;
  }
  const list: readonly { readonly name?: unknown; readonly template?: unknown }[] = Array.isArray(
    given,
  )
    ? given
    : [];
  const found = list.find((each) => each?.name === 'default') ?? list[0];
  if (typeof found?.template === 'string') {
    return found.template;
  }
  throw invalid(`${file}.chat_template`, 'must be a text, or a list of names and templates');
}

/** A token is a text, or an object that has it as `content`. */
function specialTokensIn(stated: Stated): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const [key, value] of Object.entries(stated)) {
    const [, role] = /^(bos|eos|pad|unk|cls|sep|mask)_token$/.exec(key) ?? [];
    const text = (value as { readonly content?: unknown } | null)?.content ?? value;
    if (role !== undefined && typeof text === 'string') {
      tokens[role] = text;
    }
  }
  return tokens;
}

function invalid(path: string, message: string): AmbryError {
  return new AmbryError('BadValue', `${path} ${message}.`, { path });
}
