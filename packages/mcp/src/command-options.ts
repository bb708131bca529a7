// The options of `ambry mcp`, as Node parses them, with their help.
import { mcpDefaults } from './options/defaults.ts';

const mebibyte = 1024 * 1024;

export const commandOptions = {
  model: {
    type: 'string',
    value: 'MODEL',
    help: 'The model of the indexes. Default: the model that each index names.',
  },
  prompt: {
    type: 'string',
    value: 'TEXT',
    help: 'A text to put before each query, or the name of one of the model’s prompts. Default: none.',
  },
  classifier: {
    type: 'string',
    value: '[NAME=]MODEL',
    multiple: true,
    help: 'A text classifier for the tool classify_text. May be repeated. Default: none.',
  },
  tagger: {
    type: 'string',
    value: '[NAME=]MODEL',
    multiple: true,
    help: 'A token classifier for the tools tag_text and redact_text. May be repeated. Default: none.',
  },
  files: {
    type: 'string',
    value: 'DIR',
    multiple: true,
    help: 'Let the tools inspect_model and validate_model read the files below this folder. No link leads out of it. May be repeated. Default: none, and there are no such tools.',
  },
  'allow-addresses': {
    type: 'boolean',
    help: 'With --files: let these tools read addresses and names at the hub, too. The program then decides what this machine asks of which server.',
  },
  'max-result': {
    type: 'string',
    value: 'N',
    help: `The maximum number of characters of a result. A longer one is cut, and says so. Default: ${mcpDefaults.maxResult}.`,
  },
  'call-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: `How long a call may take. Default: ${mcpDefaults.callTimeout}.`,
  },
  'max-calls': {
    type: 'string',
    value: 'N',
    help: `The maximum number of calls at a time. Default: ${mcpDefaults.maxCalls}.`,
  },
  'max-body': {
    type: 'string',
    value: 'SIZE',
    help: `The maximum size of a message, such as 1MB. Default: ${mcpDefaults.maxBody / mebibyte} MiB.`,
  },
  'close-timeout': {
    type: 'string',
    value: 'SECONDS',
    help: `How long running calls may go on after the client closes the input, or with --http after a signal. Default: ${mcpDefaults.closeTimeout}.`,
  },
  http: {
    type: 'boolean',
    help: 'Serve over HTTP (Streamable HTTP) instead of standard input and output.',
  },
  port: {
    type: 'string',
    value: 'N',
    help: `With --http: the port; 0 takes a free one. Default: ${mcpDefaults.port}.`,
  },
  host: {
    type: 'string',
    value: 'ADDRESS',
    help: `With --http: the address to listen at. Another one than this machine’s own needs a key, or --without-key. Default: ${mcpDefaults.host}.`,
  },
  'api-key': {
    type: 'string',
    value: 'KEY',
    help: 'With --http: requests must have this key as Authorization: Bearer KEY. Other users of this machine can see it in the list of processes; AMBRY_API_KEY hides it. Default: AMBRY_API_KEY, else none.',
  },
  'without-key': {
    type: 'boolean',
    help: 'With --host: let other machines call the server without a key.',
  },
  'allowed-host': {
    type: 'string',
    value: 'NAME',
    multiple: true,
    help: 'With --http: a host name by which the server may be called without a key, besides localhost and IP addresses. May be repeated. Default: none.',
  },
  cors: {
    type: 'string',
    value: 'ORIGIN',
    multiple: true,
    help: 'With --http: let web pages of this origin call the server, such as https://example.org; * allows all. May be repeated. Default: none.',
  },
  'max-connections': {
    type: 'string',
    value: 'N',
    help: `With --http: the maximum number of connections. Default: ${mcpDefaults.maxConnections}.`,
  },
  'max-sessions': {
    type: 'string',
    value: 'N',
    help: `With --http: the maximum number of clients. Default: ${mcpDefaults.maxSessions}.`,
  },
} as const;
