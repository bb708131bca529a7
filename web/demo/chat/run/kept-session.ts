// The session of the package that keeps the keys and values of the conversation on the page. What the conversation and
// the session have in common stays; a regenerated or edited message computes only what is new.

import type { ChatMessage, Generator, ChatSession as ModelSession, TrimPolicy } from 'ambry';

/** What a session must hold before the next message is sent. */
interface Talk {
  readonly model: Generator;
  readonly messages: readonly ChatMessage[];
  readonly trim: TrimPolicy;
}

/** A session keeps all that the model wrote, and the page the text after its reasoning. */
function isSame(kept: ChatMessage | undefined, shown: ChatMessage | undefined): boolean {
  if (!kept || !shown || kept.role !== shown.role) {
    return false;
  }
  return kept.role === 'assistant'
    ? kept.content.endsWith(shown.content)
    : kept.content === shown.content;
}

function commonLength(kept: readonly ChatMessage[], shown: readonly ChatMessage[]): number {
  let length = 0;
  while (length < kept.length && length < shown.length && isSame(kept[length], shown[length])) {
    length += 1;
  }
  return length;
}

export class KeptSession {
  #kept: {
    readonly session: ModelSession;
    readonly model: Generator;
    readonly trim: TrimPolicy;
  } | null = null;

  /** A session with exactly these messages: the kept one, rewound if need be, or a new one. */
  async at({ model, messages, trim }: Talk): Promise<ModelSession> {
    const kept = this.#kept;
    if (kept !== null && kept.model === model && kept.trim === trim) {
      const before = kept.session.messages;
      const common = commonLength(before, messages);
      if (common === messages.length) {
        await kept.session.rewind(before.length - common);
        return kept.session;
      }
    }
    void kept?.session.dispose().catch(() => undefined);
    const session = model.session({ messages, trim });
    this.#kept = { session, model, trim };
    return session;
  }
}
