// What ambry-serve has in common with this package: requests as tasks, and answers as documents. It may change with any version.
export {
  type AnswerEnd,
  type AnswerEvent,
  type AnswerTask,
  answers,
  type CountedTask,
} from './answers/answers.ts';
export { type CollectedAnswer, collect, Usage } from './answers/collect.ts';
export { type ConversationRequest, conversationTask, thinks } from './answers/conversation.ts';
export {
  ApiError,
  apiError,
  type ErrorStatus,
  errorTypes,
  openaiError,
  reasonOf,
} from './base/api-error.ts';
export { idOf } from './base/ids.ts';
export { checkCount, type Limits } from './base/limits.ts';
export type { NamedEvent } from './base/named-event.ts';
export { present } from './base/present.ts';
export { firstProblem } from './base/problems.ts';
export {
  callerFields,
  type Sampling,
  samplingFields,
  samplingOptions,
  seedOf,
  stopsOf,
  thinkingFields,
  thinkingVariables,
} from './base/sampling.ts';
export { type TextOrIds, textOrIds, textsOrIds } from './base/texts-or-ids.ts';
export { unknownFieldMessage, unknownFields } from './base/unknown-fields.ts';
export { chatChunks, chatDocument, chatHead } from './chat/chat-document.ts';
export { chatRequest } from './chat/chat-request.ts';
export { chatTask, parsedArguments } from './chat/chat-task.ts';
export { completionLogprobs } from './chat/logprobs.ts';
export { usageOf } from './chat/usage.ts';
export { embeddingDocument } from './embeddings/embedding-document.ts';
export { embeddingRequest, textsOf } from './embeddings/embedding-request.ts';
export { longestText, tokenCount } from './embeddings/token-count.ts';
export { allItems } from './responses/input-messages.ts';
export type { OutputItem } from './responses/response-document.ts';
export { responseEvents } from './responses/response-events.ts';
export {
  keepResponse,
  outputOf,
  responseHead,
  wholeResponse,
} from './responses/response-output.ts';
export { responseRequest } from './responses/response-request.ts';
export { responseTask } from './responses/response-task.ts';
export { StoredResponses } from './responses/stored-responses.ts';
