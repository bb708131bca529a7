// Prompts that the chat template of the model makes, as sentence-transformers gives it a query and a document: messages of
// these roles, after the instruction as a message of the role `system`.
import { AmbryError } from '../base/errors.ts';
import type { TextPair } from '../classification-head/types.ts';
import type { ChatMessage } from '../generator/base/types.ts';
import type { Conversations } from '../generator/templates/conversations.ts';
import type { MakePrompt } from './part-prompts.ts';
import type { RerankerFacts } from './prompt-facts.ts';

/** Texts that no template has. */
const probes = { query: 'ambry-query-8c1f', document: 'ambry-document-8c1f', system: 'ambry-8c1f' };

export class TemplatePrompts {
  readonly #facts: RerankerFacts;
  readonly #conversations: Pick<Conversations, 'apply'>;

  constructor(facts: RerankerFacts, conversations: Pick<Conversations, 'apply'>) {
    this.#facts = facts;
    this.#conversations = conversations;
  }

  /** Refuses a template that leaves out the query or the document. */
  async check(): Promise<void> {
    const { query, document } = probes;
    const text = await this.#render([query, document], this.#facts.instruction ?? '', undefined);
    if (!text.includes(query) || text.split(document).length !== 2) {
      const message =
        'The model ranks with its chat template, but this does not show the messages of the roles query and document.';
      throw new AmbryError('Unsupported', message, { path: 'chatTemplate' });
    }
  }

  /** Makes the prompts of a call. */
  async forCall(
    instruction: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<MakePrompt> {
    if (instruction !== undefined) {
      await this.#checkInstruction(signal);
    }
    const system = instruction ?? this.#facts.instruction ?? '';
    const around = new Map<string, readonly [lead: string, tail: string]>();
    return async ([query, document]) => {
      let ends = around.get(query);
      if (!ends) {
        const text = await this.#render([query, probes.document], system, signal);
        const [lead = '', tail = ''] = text.split(probes.document);
        ends = [lead, tail];
        around.set(query, ends);
      }
      const text = await this.#render([query, document], system, signal);
      return { parts: [text], lead: [ends[0]], tail: [ends[1]] };
    };
  }

  async #checkInstruction(signal: AbortSignal | undefined): Promise<void> {
    const pair = [probes.query, probes.document] as const;
    const text = await this.#render(pair, probes.system, signal);
    if (!text.includes(probes.system)) {
      const message = 'The model takes no instruction: its chat template has no place for one.';
      throw new AmbryError('Unsupported', message, { path: 'options.instruction' });
    }
  }

  #render(
    [query, document]: TextPair,
    system: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { variables = {}, messages } = this.#facts;
    const message = (role: string, text: string): ChatMessage => {
      const content = messages === 'structured' ? [{ type: 'text', text }] : text;
      return { role, content: content as string };
    };
    const conversation = [
      ...(system === '' ? [] : [message('system', system)]),
      message('query', query),
      message('document', document),
    ];
    return this.#conversations.apply(conversation, { variables, ...(signal && { signal }) });
  }
}
