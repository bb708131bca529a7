// What Prometheus may ask: requests, tokens, queues and memory.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Models } from './models.ts';

export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'ambry_http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly #durations = new Histogram({
    name: 'ambry_http_request_duration_seconds',
    help: 'Seconds from a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
    registers: [this.registry],
  });
  readonly #tokens = new Counter({
    name: 'ambry_tokens_total',
    help: 'Tokens that models read (prompt) and wrote (generated).',
    labelNames: ['model', 'kind'],
    registers: [this.registry],
  });

  constructor(models: Models) {
    collectDefaultMetrics({ register: this.registry });
    this.#gauge(
      'ambry_queue_waiting',
      'Requests that wait for a model.',
      models,
      (model) => model.turns.waiting,
    );
    this.#gauge(
      'ambry_running',
      'Requests that a model answers.',
      models,
      (model) => model.turns.running,
    );
    this.#gauge('ambry_model_ready', 'Whether a model is open.', models, (model) =>
      model.opened ? 1 : 0,
    );
    this.#gauge(
      'ambry_model_weight_bytes',
      'Bytes of memory that the weights of a model take.',
      models,
      (model) => model.opened?.weightBytes ?? 0,
    );
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status });
    this.#durations.observe({ route }, seconds);
  }

  tokens(model: string, prompt: number, generated = 0): void {
    this.#tokens.inc({ model, kind: 'prompt' }, prompt);
    this.#tokens.inc({ model, kind: 'generated' }, generated);
  }

  #gauge(
    name: string,
    help: string,
    models: Models,
    read: (model: Models['all'][number]) => number,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: ['model'],
      registers: [this.registry],
      collect() {
        for (const model of models.all) {
          this.set({ model: model.name }, read(model));
        }
      },
    });
  }
}
