// What Ollama's interface tells of the models and of itself: GET /, GET /api/tags, /api/ps and /api/version, POST /api/show
// and /api/pull

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Model, Tool } from 'ambry';
import { ApiError, thinks } from 'ambry-openai/shared';
import { z } from 'zod';
import type { ServedModel } from '../service/models.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

export function tags(c: ApiContext, { models }: Service): Response {
  return c.json({ models: models.all.map(tagOf) });
}

/** Programs look for this sentence. */
export function running(c: ApiContext): Response {
  return c.text('Ollama is running (Ambry)');
}

/** Models that are open stay open. */
export function ps(c: ApiContext, { models }: Service): Response {
  const open = models.all.filter(({ opened }) => opened);
  return c.json({
    models: open.map((served) => ({
      ...tagOf(served),
      expires_at: '9999-12-31T23:59:59Z',
      size_vram: 0,
      context_length: contextOf(served.opened),
    })),
  });
}

const nameFields = { model: z.string().nullish(), name: z.string().nullish() };
const named = z.object(nameFields);
const pullRequest = z.object({
  ...nameFields,
  stream: z.boolean().nullish(),
  insecure: z.boolean().nullish(),
});

/** Clients pull a model before they use it. One that is served is there, and no other can be fetched. */
export async function pull(c: ApiContext, { models }: Service): Promise<Response> {
  models.find(modelName(await readBody(c, pullRequest)));
  return c.json({ status: 'success' });
}

/** Older clients write `name`. */
function modelName({ model, name }: z.infer<typeof named>): string {
  const given = model ?? name;
  if (typeof given === 'string') {
    return given;
  }
  throw new ApiError(400, 'Give the name of a model.', { param: 'model', code: 'invalid_value' });
}

export function version(c: ApiContext): Response {
  const { version } = createRequire(import.meta.url)('ambry/package.json') as { version: string };
  return c.json({ version });
}

const showRequest = z.object({ ...nameFields, verbose: z.boolean().nullish() });

export async function show(c: ApiContext, { models }: Service): Promise<Response> {
  const served = models.find(modelName(await readBody(c, showRequest)));
  const { opened, since } = served;
  const isGenerator = opened?.kind === 'generator';
  return c.json({
    license: '',
    modelfile: '',
    parameters: '',
    details: detailsOf(opened),
    modified_at: new Date(since).toISOString(),
    template: isGenerator ? (opened.chatTemplate ?? '') : '',
    model_info: modelInfo(opened),
    capabilities: await capabilitiesOf(opened),
  });
}

function tagOf({ name, opened, since }: ServedModel) {
  return {
    name,
    model: name,
    modified_at: new Date(since).toISOString(),
    size: opened?.info.bytes ?? 0,
    // Programs need one to tell models apart.
    digest: createHash('sha256').update(name).digest('hex'),
    details: detailsOf(opened),
  };
}

function detailsOf(model: Model | undefined) {
  const family = architectureOf(model);
  const parameters = model?.info.tensors.reduce(
    (sum, { shape }) => sum + shape.reduce((product, n) => product * n, 1),
    0,
  );
  return {
    parent_model: '',
    format: model?.info.format ?? '',
    family,
    families: family === '' ? [] : [family],
    parameter_size: parameters === undefined ? '' : `${Number((parameters / 1e6).toPrecision(3))}M`,
    quantization_level: commonType(model),
  };
}

function architectureOf(model: Model | undefined): string {
  return String(model?.info.config?.['architecture'] ?? model?.kind ?? '');
}

/** The data type with the most bytes. */
function commonType(model: Model | undefined): string {
  const bytes = new Map<string, number>();
  for (const { dtype, bytes: size } of model?.info.tensors ?? []) {
    bytes.set(dtype, (bytes.get(dtype) ?? 0) + size);
  }
  const [most] = [...bytes].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? '';
}

function modelInfo(model: Model | undefined): Record<string, unknown> {
  const architecture = architectureOf(model);
  const info: Record<string, unknown> = { 'general.architecture': architecture };
  const context = contextOf(model);
  if (context > 0) {
    info[`${architecture}.context_length`] = context;
  }
  if (model?.kind === 'encoder') {
    info[`${architecture}.embedding_length`] = model.dim;
  }
  return info;
}

/** 0 where it is not known. */
function contextOf(model: Model | undefined): number {
  if (model?.kind === 'generator') {
    return model.info.generator.context;
  }
  return Number(model?.info.config?.['maxSeqLength'] ?? 0);
}

async function capabilitiesOf(model: Model | undefined): Promise<readonly string[]> {
  if (model?.kind !== 'generator') {
    return model?.kind === 'encoder' || model?.kind === 'words' ? ['embedding'] : [];
  }
  const callsTools = await model.toolCallSchema([anyTool]).then(
    () => true,
    () => false,
  );
  return ['completion', ...(callsTools ? ['tools'] : []), ...(thinks(model) ? ['thinking'] : [])];
}

const anyTool: Tool = { type: 'function', function: { name: 'any', parameters: {} } };
