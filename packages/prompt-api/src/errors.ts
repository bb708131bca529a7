// Errors of Ambry as the Prompt API has them.
import { AmbryError } from 'ambry';
import { withCause } from './checks.ts';

/** The context is full. Browsers have a class of this name; the fields are its own. */
function quotaExceeded(error: AmbryError, quota: number): DOMException {
  const made = withCause(new DOMException(error.message, 'QuotaExceededError'), error);
  return Object.defineProperty(made, 'quota', { value: quota, configurable: true });
}

export function invalidState(): DOMException {
  return new DOMException('The session was destroyed.', 'InvalidStateError');
}

/** `context`: the tokens that fit. */
export function asDomError(error: unknown, context: number): unknown {
  if (!(error instanceof AmbryError)) {
    return error;
  }
  if (error.code === 'LimitExceeded' && error.path?.startsWith('prompt')) {
    return quotaExceeded(error, context);
  }
  if (error.code === 'Cancelled') {
    return withCause(invalidState(), error);
  }
  if (error.path?.startsWith('options.format')) {
    const name = error.code === 'Unsupported' ? 'NotSupportedError' : 'SyntaxError';
    return withCause(new DOMException(error.message, name), error);
  }
  return withCause(new DOMException(error.message, 'OperationError'), error);
}
