// The public names of the package.
export {
  type AnswerEnd,
  type AnswerEvent,
  type AnswerTask,
  type AnswerText,
  answers,
} from './answers.ts';
export { type ToolChoice, type ToolMode, type ToolPlan, toolPlan } from './tool-plan.ts';
