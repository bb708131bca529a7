// Conversations as prompts, for what has a template and special tokens.
import { AmbryError } from '../../base/errors.ts';
import { refuseUnknown } from '../../base/options.ts';
import type { Connection } from '../../runtime/connect.ts';
import { templateOptionNames } from '../base/option-names.ts';
import type { ChatMessage, ChatTemplateOptions } from '../base/types.ts';
import type { TemplateRenderer } from './chat-template.ts';
import type { StatedTemplates } from './choose-template.ts';

interface TemplateFacts extends StatedTemplates {
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
    const { template: wanted, ...options } = given;
    const { TemplateRenderer, chooseTemplate, templateNames, templatesOf } = await import(
      './chat-template.ts'
    );
    const names = templateNames(messages, options, this.#facts.specialTokens);
    const template = chooseTemplate(templatesOf(this.#facts), wanted, options.variables);
    if (this.#hasEnded) {
      throw new AmbryError('Cancelled', 'This was disposed of already.');
    }
    this.#templates ??= new TemplateRenderer(this.#connection);
    return this.#templates.render(template, names, options.signal);
  }

  /** The template that conversations with tools take, or the one that is wanted. */
  async ofTools(wanted: string | null | undefined): Promise<string | null> {
    const { chooseTemplate, templatesOf } = await import('./choose-template.ts');
    return chooseTemplate(templatesOf(this.#facts), wanted ?? undefined, { tools: [] }) ?? null;
  }

  /** Nothing is rendered any more. */
  end(): void {
    this.#hasEnded = true;
  }
}
