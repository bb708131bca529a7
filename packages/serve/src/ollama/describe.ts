// GET /api/tags, GET /api/version and POST /api/show
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Model, Tool } from 'ambry';
import { z } from 'zod';
import type { ServedModel } from '../service/models.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

export function tags(c: ApiContext, { models }: Service): Response {
  return c.json({ models: models.all.map(tagOf) });
}

export function version(c: ApiContext): Response {
  const { version } = createRequire(import.meta.url)('ambry/package.json') as { version: string };
  return c.json({ version });
}

const showRequest = z.strictObject({ model: z.string(), verbose: z.boolean().nullish() });

export async function show(c: ApiContext, { models }: Service): Promise<Response> {
  const { model: name } = await readBody(c, showRequest);
  const served = models.find(name);
  const { opened, since } = served;
  const isGenerator = opened?.kind === 'generator';
  return c.json({
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
  if (model?.kind === 'generator') {
    info[`${architecture}.context_length`] = model.info.generator.context;
  }
  if (model?.kind === 'encoder') {
    info[`${architecture}.embedding_length`] = model.dim;
  }
  return info;
}

async function capabilitiesOf(model: Model | undefined): Promise<readonly string[]> {
  if (model?.kind !== 'generator') {
    return model?.kind === 'encoder' || model?.kind === 'words' ? ['embedding'] : [];
  }
  const callsTools = await model.toolCallSchema([anyTool]).then(
    () => true,
    () => false,
  );
  return callsTools ? ['completion', 'tools'] : ['completion'];
}

const anyTool: Tool = { type: 'function', function: { name: 'any', parameters: {} } };
