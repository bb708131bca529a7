// Lets only those call the server who may, as the options say.
import { bearerOf, hostRefusal, keyCheck, originRefusal } from 'ambry-http';
import { ApiError } from 'ambry-openai/shared';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Settings } from './options.ts';
import { unknownFieldsHeader } from './requests.ts';

export function hostGuard(settings: Settings): MiddlewareHandler {
  return async (c, next) => {
    const message = hostRefusal(c.req.header('host') ?? new URL(c.req.url).host, settings);
    if (message === undefined) {
      return next();
    }
    throw new ApiError(403, message, { code: 'host_not_allowed' });
  };
}

export function originGuard(settings: Settings): MiddlewareHandler {
  return async (c, next) => {
    const message = originRefusal(c.req.header('origin'), c.req.header('host'), settings);
    if (message === undefined) {
      return next();
    }
    throw new ApiError(403, message, { code: 'origin_not_allowed' });
  };
}

/** Tells browsers which pages may read the answers. */
export function corsHeaders({ cors: origins }: Settings): MiddlewareHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposeHeaders: [unknownFieldsHeader, 'retry-after'],
  });
}

export function keyGuard(settings: Settings): MiddlewareHandler {
  const refusalOf = keyCheck(settings);
  return async (c, next) => {
    // Anthropic's clients have a header of their own.
    const given = bearerOf(c.req.header('authorization')) ?? c.req.header('x-api-key');
    const message = c.req.path === '/health' ? undefined : refusalOf(given);
    if (message === undefined) {
      return next();
    }
    throw new ApiError(401, message, { code: 'invalid_api_key' });
  };
}
