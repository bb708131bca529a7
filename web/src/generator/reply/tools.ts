// The tools of a conversation. Pages fetch this file with the first conversation that has some.
export { toolPlan } from './tool-plan.ts';
export { ToolText } from './tool-text.ts';
