// The bodies of errors for clients of Ollama and Anthropic.
import { type ApiError, type ErrorStatus, errorTypes } from 'ambry-openai/shared';

/** The body of an error for clients of Ollama. */
export function ollamaError({ message, facts: { param } }: ApiError) {
  return { error: param === undefined ? message : `${param}: ${message}` };
}

/** Anthropic's names, where they differ. */
const anthropicTypes: Partial<Record<ErrorStatus, string>> = {
  413: 'request_too_large',
  500: 'api_error',
  503: 'overloaded_error',
};

/** The body of an error for clients of Anthropic. */
export function anthropicError({ status, message, facts: { param } }: ApiError) {
  const text = param ? `${param}: ${message}` : message;
  return {
    type: 'error',
    error: { type: anthropicTypes[status] ?? errorTypes[status], message: text },
  };
}
