// Conversations as prompts, for what has a template and special tokens.
import { AmbryError } from '../../base/errors.ts';
import { refuseUnknown } from '../../base/options.ts';
import type { Connection } from '../../runtime/connect.ts';
import { templateOptionNames } from '../base/option-names.ts';
import type { ChatMessage, ChatTemplateOptions } from '../base/types.ts';
import type { TemplateRenderer } from './chat-template.ts';

interface TemplateFacts {
  /** Null when there is none. */
  readonly chatTemplate: string | null;
  /** Texts by role. */
  readonly specialTokens: Readonly<Record<string, string>>;
}

export class Conversations {
  readonly #connection: Pick<Connection<never>, 'platform' | 'runtime' | 'further'>;
  readonly #facts: TemplateFacts;
  #templates: TemplateRenderer | undefined;
  #hasEnded = false;

  constructor(
    connection: Pick<Connection<never>, 'platform' | 'runtime' | 'further'>,
    facts: TemplateFacts,
  ) {
    this.#connection = connection;
    this.#facts = facts;
  }

  /** Pages fetch what renders templates with their first conversation. */
  async apply(messages: readonly ChatMessage[], given: ChatTemplateOptions): Promise<string> {
    await refuseUnknown(given, templateOptionNames);
    const { template = this.#facts.chatTemplate ?? undefined, ...options } = given;
    const { TemplateRenderer, templateNames } = await import('./chat-template.ts');
    const names = templateNames(messages, options, this.#facts.specialTokens);
    if (this.#hasEnded) {
      throw new AmbryError('Cancelled', 'This was disposed of already.');
    }
    this.#templates ??= new TemplateRenderer(this.#connection);
    return this.#templates.render(template, names, options.signal);
  }

  /** Nothing is rendered any more. */
  end(): void {
    this.#hasEnded = true;
  }
}
