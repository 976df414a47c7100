/** Weights of how likely a value takes another one's place, made by bench/training/change.ts: do not edit. */
export const NEW_VALUE_WEIGHTS: Readonly<Record<string, number>> = {
  bias: -5.03,
  shared: 0.5,
  'of newer': 0.87,
  'of older': 1.17,
  beside: 0.62,
  whole: 0.83,
  told: 1.02,
  'told of shared': 0.59,
  'day unmoved': -1.33,
  cited: 0.21,
  relative: -1.04,
  once: -1.08,
  few: -1.06,
  several: -0.89,
  counted: 0.81,
  'other name': -0.8,
}
