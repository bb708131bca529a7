// What a tool is, and how a server offers it: arguments are checked, errors become results, and calls can be stopped.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { AmbryError } from 'ambry';
import type { z } from 'zod';
import { describeProblem, isExpected, problemOf } from '../results/problem.ts';
import { progressSender } from '../results/progress.ts';
import type { Waiting } from '../service/opened.ts';
import type { Service } from '../service/service.ts';

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the language model that chooses among tools. */
  readonly description: string;
  readonly input: Input;
  /** Whether what it reads may change or be anywhere, such as at an address. */
  readonly isOpen?: boolean;
  /** Resolves to an object that is JSON. */
  run(args: z.output<Input>, call: Waiting): Promise<Record<string, unknown>>;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Keeps the types of the tool's arguments together. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

export function offerTool(server: McpServer, tool: Tool, service: Service): void {
  const { name, title, description, input, isOpen = false } = tool;
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: isOpen };
  const about = { title, description, inputSchema: input, annotations };
  server.registerTool(name, about, (args: Record<string, unknown>, extra: Extra) =>
    answer(tool, args, extra, service),
  );
}

async function answer(
  tool: Tool,
  args: Record<string, unknown>,
  extra: Extra,
  service: Service,
): Promise<CallToolResult> {
  const { callTimeout } = service.settings;
  const time = AbortSignal.timeout(callTimeout * 1000);
  const signal = AbortSignal.any([extra.signal, time]);
  try {
    const result = await service.run(() =>
      tool.run(args, { signal, onProgress: progressOf(extra) }),
    );
    return {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: result,
    };
  } catch (error) {
    return failure(time.aborted ? tookTooLong(callTimeout) : error, tool.name, service);
  }
}

function failure(error: unknown, name: string, service: Service): CallToolResult {
  if (!isExpected(error)) {
    service.noteError(error, name);
  }
  const problem = problemOf(error);
  return {
    content: [{ type: 'text', text: describeProblem(problem) }],
    structuredContent: { error: problem },
    isError: true,
  };
}

function tookTooLong(seconds: number): AmbryError {
  return new AmbryError('Cancelled', `The call took longer than ${seconds} seconds.`);
}

/** Sends the progress of a job to a client that asked for it. */
function progressOf({ _meta, sendNotification }: Extra): Waiting['onProgress'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) {
    return () => {};
  }
  return progressSender((notice) => {
    const params = { progressToken, ...notice };
    // The client may have gone: the end of the call tells that, too.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  });
}
