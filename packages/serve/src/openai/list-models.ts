// GET /v1/models
import type { ServedModel } from '../service/models.ts';
import type { ApiContext } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

export function listModels(c: ApiContext, { models }: Service): Response {
  const data = models.all.map(modelOf);
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  // The last three are Anthropic's.
  return c.json({ object: 'list', data, has_more: false, first_id: first, last_id: last });
}

export function getModel(c: ApiContext, { models }: Service): Response {
  return c.json(modelOf(models.find(c.req.param('model') ?? '')));
}

function modelOf({ name, since, opened, state }: ServedModel) {
  return {
    id: name,
    object: 'model',
    created: Math.floor(since / 1000),
    owned_by: 'ambry',
    // These three are Anthropic's.
    type: 'model',
    display_name: name,
    created_at: new Date(since).toISOString(),
    kind: opened?.kind ?? null,
    state,
  };
}
