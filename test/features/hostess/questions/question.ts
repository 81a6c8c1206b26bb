/** What a question of the set is, and what an answer to it must have. Values are never written down where a record has them. */
export type SceneName = 'empty' | 'healthy' | 'degraded' | 'hostile' | 'crowd';

export interface Expected {
  /**
   * Paths that must be among the grounds, or patterns that one of them must match; with a value where the scene fixes it. The value
   * of every ground is compared with the records anyway.
   */
  readonly grounds?: readonly (string | RegExp | readonly [path: string, value: unknown])[];
  /** What the answer must say. */
  readonly says?: readonly RegExp[];
  /** What it must not say. */
  readonly never?: readonly RegExp[];
  /** Commands that must be among the suggestions, as printed. */
  readonly suggests?: readonly string[];
  /** It cannot be answered, or must not be: she says so. `either`: a denial that stands on grounds is as right as saying so. */
  readonly refuses?: true | 'either';
  /** To refuse is as right as an answer that has all of the above. */
  readonly mayRefuse?: true;
  /** Asked with the token that opens the ledger. */
  readonly granted?: true;
}

export interface Question extends Expected {
  readonly scene: SceneName;
  /** `{finding:CHECK}` stands for the id of the first finding of that check, here and in paths. */
  readonly ask: string;
}

/** The same is expected of every wording. */
export const each = (scene: SceneName, wordings: readonly string[], expected: Expected): Question[] =>
  wordings.map((ask) => ({ scene, ask, ...expected }));

export const one = (scene: SceneName, ask: string, expected: Expected): Question => ({
  scene,
  ask,
  ...expected,
});
