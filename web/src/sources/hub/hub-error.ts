// Errors of the hub's lists, with what to do about them.
import { AmbryError } from '../../base/errors.ts';
import { badAnswer, badStatus } from '../http/error.ts';

/** Which list was asked for. */
export interface Question {
  readonly url: string;
  readonly endpoint: string;
  readonly repository: string;
  readonly revision: string;
  readonly hasToken: boolean;
}

const tokenOption = 'the option hub.token (on the command line --token, or HF_TOKEN)';

/** The error for a status that is not success. */
export function refusal(response: Response, question: Question): AmbryError {
  const { status } = response;
  if (status === 401 || status === 403) {
    return noAccess(response, question);
  }
  if (status === 404 || status === 410) {
    return missing(response, question);
  }
  return badStatus(response, question.url);
}

function noAccess(response: Response, question: Question): AmbryError {
  const { url, endpoint, repository, hasToken } = question;
  const page = `${endpoint}/${repository}`;
  const why = hasToken
    ? `The token may not read ${repository}`
    : `${repository} is gated or private, or does not exist`;
  const fix = hasToken
    ? `Check that the token is valid, and that its account has accepted the conditions on ${page}.`
    : `Check the name. If it is right, accept the conditions on ${page}, and give a token: ${tokenOption}.`;
  const { message } = badAnswer(response, url, why, fix);
  return new AmbryError('Http', message, { path: 'hub.token' });
}

function missing(response: Response, question: Question): AmbryError {
  const { url, endpoint, repository, revision } = question;
  const hasRepository = response.headers.get('x-error-code') === 'RevisionNotFound';
  const what = hasRepository
    ? `${repository} has no revision ${JSON.stringify(revision)}`
    : `There is no repository ${repository} at ${endpoint}, or it has no revision ${JSON.stringify(revision)}`;
  const { message } = badAnswer(response, url, what, 'Check the name.');
  return new AmbryError('NotFound', message, { path: 'source' });
}

/** The list is not one. `what` is a clause. */
export function badList(url: string, what: string, path = 'source'): AmbryError {
  const message = `The hub's list of files cannot be used: ${what}: ${url}`;
  return new AmbryError('Http', message, { path });
}

export function tooLarge(url: string, what: string): AmbryError {
  const message = `The hub's list of files has more than ${what}: ${url}. Name a repository that is smaller.`;
  return new AmbryError('LimitExceeded', message, { path: 'source' });
}
