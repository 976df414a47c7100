/** ConversationAnalyzer (000, working memory): the present topic of a conversation, and the user's feeling. */

/** The emotions that are told apart; a model may answer nothing else. */
export const EMOTIONS = [
  'neutral',
  'happy',
  'excited',
  'grateful',
  'frustrated',
  'angry',
  'sad',
  'anxious',
  'confused',
  'tired',
] as const
/** An emotion out of EMOTIONS. */
export type Emotion = (typeof EMOTIONS)[number]

/** The analysis that goes into working memory. */
export interface ConversationAnalysis {
  /** A short phrase in the user's language, at most TOPIC_CHARACTERS; null when the turns name no topic. */
  readonly topic: string | null
  /** Names in snake_case: language, framework, project, file, error, symbol … with the value named last. */
  readonly contextVariables: Readonly<Record<string, unknown>>
  /** The emotion of the user's last message; null where the user said nothing. */
  readonly emotion: Emotion | null
}

/** Longest topic. */
export const TOPIC_CHARACTERS = 60
