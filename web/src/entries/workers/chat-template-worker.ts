// The browser's worker entry for chat templates. It runs no WebAssembly.
import type { ChatTemplateCalls } from '../../generator/base/protocol.ts';
import { chatTemplateHandlers } from '../../generator/templates/worker-chat-template.ts';
import { serveWorker } from '../../platform/worker-serve.ts';

serveWorker<ChatTemplateCalls>(chatTemplateHandlers);
