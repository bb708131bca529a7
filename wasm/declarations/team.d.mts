import type { GeneratorModel, InstanceTeam, OutcomeText } from './types.mjs';

/** Instances over one memory that compute together. */
export interface TeamBindings {
  /** `size` counts the instance that leads. Never release a team that a model has. */
  makeTeam(size: number): OutcomeText<InstanceTeam>;
  /** From now on this model runs on the team. Only one instance may call functions of the model. */
  leadTeam(team: InstanceTeam, model: GeneratorModel): OutcomeText<null>;
  /** Works for the team that another instance leads. It does not return; ending the worker ends it. */
  serveTeam(team: InstanceTeam): OutcomeText<null>;
}
