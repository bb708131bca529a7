// Node's worker entry for chat templates.
import { parentPort } from 'node:worker_threads';
import type { ChatTemplateCalls } from '../../generator/base/protocol.ts';
import { chatTemplateHandlers } from '../../generator/templates/worker-chat-template.ts';
import { serve } from '../../rpc/serve.ts';

const receive = serve<ChatTemplateCalls, unknown>(
  (message) => parentPort?.postMessage(message),
  chatTemplateHandlers,
);
parentPort?.on('message', receive);
