// OpenAI's interface over models in this process.
import type { Model } from 'ambry';
import { createChat } from './client/chat.ts';
import { createEmbeddings } from './client/embeddings.ts';
import { Models, type NamedModels } from './client/models.ts';
import { createResponse } from './client/responses.ts';
import type { Completions, Embeddings, OpenAIInterface, Responses } from './client/types.ts';
import { StoredResponses } from './responses/stored-responses.ts';

/**
 * `chat.completions`, `embeddings` and `responses` as OpenAI's client has them, over an open model, or over several by
 * names. Nothing is sent. One model alone answers to any name in `model`. The models stay their caller's.
 *
 * Throws `BadValue` at `models…` for what is no open model. A request rejects with an `OpenAIError`.
 *
 * @example
 * const client = openai(await open('chat.gguf', { kind: 'generator' }));
 * const messages = [{ role: 'user', content: 'What is a tide?' }];
 * const answer = await client.chat.completions.create({ model: 'chat', messages });
 * console.log(answer.choices[0].message.content);
 */
export function openai(models: Model | NamedModels): OpenAIInterface {
  const found = new Models(models);
  const stored = new StoredResponses();
  // The documents are made for the server, as JSON. The tests compare them with those that OpenAI's client gets.
  return {
    chat: {
      completions: {
        create: ((body, options) => createChat(found, body, options)) as Completions['create'],
      },
    },
    embeddings: {
      create: ((body, options) => createEmbeddings(found, body, options)) as Embeddings['create'],
    },
    responses: {
      create: ((body, options) =>
        createResponse(found, stored, body, options)) as Responses['create'],
    },
  };
}
