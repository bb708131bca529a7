// Adds conversations to the chat page's database, as another tab would.

import type { Page } from '@playwright/test';

export interface Conversation {
  /** The title, and its key in the database. */
  readonly title: string;
  readonly question: string;
  readonly answer: string;
}

/** Saves conversations that are newer than those that are there, and the last one is the newest. */
export function addConversations(
  page: Page,
  conversations: readonly Conversation[],
): Promise<void> {
  return page.evaluate(
    (all) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('ambry-chat');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction(['conversations', 'titles'], 'readwrite');
          for (const [i, { title: text, question, answer }] of all.entries()) {
            const title = { id: text, title: text, changedAt: Date.now() + i };
            const turns = [
              { from: 'user', text: question },
              { from: 'model', text: answer },
            ];
            const saved = {
              ...title,
              version: 1,
              revision: 1,
              isNamed: true,
              model: 'stories',
              turns,
            };
            transaction.objectStore('conversations').put(saved);
            transaction.objectStore('titles').put(title);
          }
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
    conversations,
  );
}
