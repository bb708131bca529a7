// GET /v1/models
import type { ServedModel } from '../service/models.ts';
import type { ApiContext } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

export function listModels(c: ApiContext, { models }: Service): Response {
  return c.json({ object: 'list', data: models.all.map(modelOf) });
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
    kind: opened?.kind ?? null,
    state,
  };
}
