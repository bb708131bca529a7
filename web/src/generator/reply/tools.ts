// The tools of a conversation. Pages fetch this file with the first conversation that has some.
export { toolMarks } from './marked-calls.ts';
export { toolPlan } from './tool-plan.ts';
export { ToolText } from './tool-text.ts';
