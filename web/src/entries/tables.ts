// `ambry/tables`: the formats and types that there are, and the values and defaults of options. Programs show them or let
// people choose. They are not in `ambry`, so that a page that shows none of them does not download them. Also here: how names and
// texts of strangers are shown, and which option was meant.
export { optionAdvice } from '../base/option-advice.ts';
export { visibleLine, visibleName, visibleText } from '../base/visible.ts';
export { problemTypes, scoreActivations } from '../classification-head/types.ts';
export { convertDefaults, keptHeads } from '../convert/convert-types.ts';
export { bitDefaults, blockSizes, quantizeDefaults } from '../convert/quantize-types.ts';
export { distillDefaults, distillTypes } from '../distill/types.ts';
export { fillDefaults } from '../fill-mask/types.ts';
export { decideDefaults, scoreNormalizations } from '../generator/base/decision-types.ts';
export { answerForms, generateDefaults, trimPolicies } from '../generator/base/types.ts';
export { networkVariants } from '../image-classifier/types.ts';
export { textRoles } from '../late-interaction/types.ts';
export { adapterDefaults } from '../model/adapter-types.ts';
export { classifyDefaults } from '../model/classify-types.ts';
export {
  embedDefaults,
  embedForms,
  embedOptionNames,
  poolings,
  truncations,
} from '../model/embed-types.ts';
export { type Opening, openingOf } from '../model/opening.ts';
export { devices, encoderArchitectures, keyValueTypes, weightStorages } from '../model/types.ts';
export { answerDefaults } from '../question-answering/types.ts';
export { indexAnswerDefaults, searchDefaults, vectorStorages } from '../search/base/types.ts';
export { fetchDefaults } from '../sources/base/types.ts';
export type { SideFile, WeightsFile } from '../sources/directory/model-files.ts';
export { classifierDefaults } from '../text-classifier/trained/types.ts';
export { classifyTextDefaults, labelLosses } from '../text-classifier/types.ts';
export { aggregations, redactDefaults, tagDefaults } from '../token-classifier/types.ts';
export { offsetUnits } from '../token-head/offsets.ts';
export * from '../wasm/tables.ts';
export { analogyWords, similarDefaults, wordMetrics } from '../words/types.ts';
export { kindNames } from './built/kinds/names.ts';
