/** Weights of how likely a value takes another one's place, made by bench/training/change.ts: do not edit. */
export const NEW_VALUE_WEIGHTS: Readonly<Record<string, number>> = {
  bias: -1.39,
  shared: -0.96,
  'of newer': 1.51,
  'of older': 1.98,
  beside: 0.33,
  whole: 0.8,
  told: -1.47,
  'told of shared': 1.51,
  'day unmoved': -1.54,
  cited: 0.22,
  relative: -1.88,
  once: -1.04,
  few: -0.93,
  several: -0.9,
  counted: 0.91,
  'other name': -1.45,
}
