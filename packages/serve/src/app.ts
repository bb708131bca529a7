// The application: guards first, then the routes.

import { ApiError, apiError, openaiError, StoredResponses } from 'ambry-openai/shared';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { countTokens, messages } from './anthropic/messages.ts';
import { chat as ollamaChat } from './ollama/chat.ts';
import { ps, pull, running, show, tags, version } from './ollama/describe.ts';
import { embed, embeddings as ollamaEmbeddings } from './ollama/embed.ts';
import { generate } from './ollama/generate.ts';
import { chat } from './openai/chat.ts';
import { completions } from './openai/completions.ts';
import { embeddings } from './openai/embeddings.ts';
import { getModel, listModels } from './openai/list-models.ts';
import { rerank } from './openai/rerank.ts';
import { responses } from './responses/responses.ts';
import { anthropicError, ollamaError } from './service/error-bodies.ts';
import { corsHeaders, hostGuard, keyGuard, originGuard } from './service/guards.ts';
import { Metrics } from './service/metrics.ts';
import { type ModelEntries, Models } from './service/models.ts';
import { type ServeOptions, serveSettings } from './service/options.ts';
import type { ApiContext, Variables } from './service/requests.ts';
import type { Service } from './service/service.ts';
import { stopping } from './service/turns.ts';
import { Warnings } from './service/warnings.ts';
import { embed as teiEmbed } from './tei/embed.ts';
import { embedSparse } from './tei/embed-sparse.ts';
import { teiError } from './tei/fields.ts';
import { predict } from './tei/predict.ts';
import { rerank as teiRerank } from './tei/rerank.ts';

type Route = (c: ApiContext, service: Service) => Response | Promise<Response>;

const routes: readonly (readonly ['GET' | 'POST', string, Route])[] = [
  ['GET', '/v1/models', listModels],
  ['GET', '/v1/models/:model', getModel],
  ['POST', '/v1/embeddings', embeddings],
  ['POST', '/v1/chat/completions', chat],
  ['POST', '/v1/completions', completions],
  ['POST', '/v1/responses', responses],
  ['POST', '/v1/rerank', rerank],
  ['POST', '/embed', teiEmbed],
  ['POST', '/embed_sparse', embedSparse],
  ['POST', '/rerank', teiRerank],
  ['POST', '/predict', predict],
  ['POST', '/v1/messages', messages],
  ['POST', '/v1/messages/count_tokens', countTokens],
  ['GET', '/', running],
  ['GET', '/api/tags', tags],
  ['GET', '/api/ps', ps],
  ['GET', '/api/version', version],
  ['POST', '/api/show', show],
  ['POST', '/api/pull', pull],
  ['POST', '/api/embed', embed],
  ['POST', '/api/embeddings', ollamaEmbeddings],
  ['POST', '/api/chat', ollamaChat],
  ['POST', '/api/generate', generate],
  ['GET', '/health', health],
  ['GET', '/metrics', metricsText],
];

/** Routes of Text Embeddings Inference. */
const teiPaths = ['/embed', '/embed_sparse', '/rerank', '/predict'];

type App = Hono<{ Variables: Variables }>;

export interface Application {
  /** A handler in the manner of the Fetch API, for any server that takes one. */
  readonly fetch: App['fetch'];
  /** Opens the models, one after the other. Resolves to the names of those that failed; `onError` is called with each reason. */
  open(): Promise<readonly string[]>;
  /** Refuses new requests, and those that wait. */
  stop(): void;
  /** Ends running requests. */
  abort(): void;
  /** Gives the memory of the models back that the application opened. */
  dispose(): Promise<void>;
}

/** What the log may say of a failure, of which no client gets all details. */
export type OnError = (error: unknown, model?: string) => void;

/**
 * The interfaces of OpenAI, Anthropic, Ollama and Text Embeddings Inference for models. Throws `BadValue` at `options…` and `models`.
 *
 * @example
 * const app = createApp({ minilm: () => open({ path: 'minilm.weights' }) });
 * await app.open();
 * const response = await app.fetch(new Request('http://localhost/v1/models'));
 */
export function createApp(
  entries: ModelEntries,
  options: ServeOptions = {},
  onError: OnError = () => {},
): Application {
  const settings = serveSettings(options);
  const models = new Models(entries, settings.maxQueue, (name, error) => onError(error, name));
  const failure = (error: unknown) => {
    const known = apiError(error);
    if (known.facts.code === 'internal') {
      onError(error);
    }
    return known;
  };
  const service: Service = {
    models,
    metrics: new Metrics(models),
    settings,
    failure,
    stored: new StoredResponses(),
  };
  const warnings = new Warnings(settings.onWarning);
  const end = new AbortController();
  const state = { isStopping: false };
  const app: App = new Hono();
  measure(app, service);
  app.use(hostGuard(settings), corsHeaders(settings), originGuard(settings), keyGuard(settings));
  app.use(async (c, next) => {
    if (state.isStopping) {
      throw stopping();
    }
    const time = AbortSignal.timeout(settings.requestTimeout * 1000);
    c.set('signal', AbortSignal.any([c.req.raw.signal, time, end.signal]));
    c.set('maxBody', settings.maxBody);
    c.set('strict', settings.strict);
    c.set('noteUnknown', (fields) => warnings.unknownFields(c.req.path, fields));
    return next();
  });
  for (const [method, path, route] of routes) {
    app.on(method, path, (c) => route(c, service));
  }
  app.notFound((c) => errorResponse(c, noRoute(c.req.method, c.req.path)));
  app.onError((error, c) => errorResponse(c, failure(error)));
  return {
    fetch: app.fetch,
    open: () => models.open(),
    stop: () => {
      state.isStopping = true;
      models.close();
    },
    abort: () => end.abort(stopping()),
    dispose: () => models.dispose(),
  };
}

/** Counts each request when its answer has ended. On other servers than Node's that is when it begins. */
function measure(app: App, { metrics }: Service): void {
  app.use(async (c, next) => {
    const begin = performance.now();
    await next();
    const path = routePath(c, -1);
    const route = routes.some((known) => known[1] === path) ? path : 'other';
    const { method } = c.req;
    const { status } = c.res;
    const count = () =>
      metrics.request(
        routes.some(([known]) => known === method) ? method : 'other',
        route,
        status,
        (performance.now() - begin) / 1000,
      );
    const outgoing = (c.env as { outgoing?: NodeJS.EventEmitter } | undefined)?.outgoing;
    if (outgoing) {
      outgoing.once('close', count);
    } else {
      count();
    }
  });
}

function errorResponse(c: ApiContext, error: ApiError): Response {
  const { retryAfter } = error.facts;
  if (retryAfter !== undefined) {
    c.header('retry-after', String(retryAfter));
  }
  return c.json(errorFormOf(c.req.path)(error), error.status);
}

function errorFormOf(path: string): (error: ApiError) => object {
  if (path.startsWith('/v1/messages')) {
    return anthropicError;
  }
  if (teiPaths.includes(path)) {
    return teiError;
  }
  return path.startsWith('/api/') ? ollamaError : openaiError;
}

function noRoute(method: string, path: string): ApiError {
  const known = routes.filter(([, name]) => name === path).map(([name]) => name);
  const message =
    known.length > 0
      ? `${path} takes ${known.join(' or ')}, not ${method}.`
      : `There is no ${method} ${path}.`;
  return new ApiError(404, message, { code: 'unknown_url' });
}

function health(c: ApiContext, { models }: Service): Response {
  const states = models.all.map(({ name, state }) => ({ name, state }));
  const isFailed = models.all.some(({ state }) => state === 'failed');
  const status = models.isReady ? 'ready' : isFailed ? 'failed' : 'loading';
  return c.json({ status, models: states }, models.isReady ? 200 : 503);
}

async function metricsText(c: ApiContext, { metrics }: Service): Promise<Response> {
  const { registry } = metrics;
  return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
}
