// The session of the package that keeps the keys and values of the conversation on the page. What the conversation and
// the session have in common stays; a regenerated or edited message computes only what is new.

import type { ChatMessage, Generator, ChatSession as ModelSession, TrimPolicy } from 'ambry';

/** What a session must hold before the next message is sent. */
interface Talk {
  readonly model: Generator;
  readonly messages: readonly ChatMessage[];
  readonly trim: TrimPolicy;
}

const isSame = (a: ChatMessage | undefined, b: ChatMessage | undefined): boolean =>
  a?.role === b?.role && a?.content === b?.content;

function commonLength(a: readonly ChatMessage[], b: readonly ChatMessage[]): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && isSame(a[length], b[length])) {
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
