/** A question of the set and what its answer must have. Values that a record has are not repeated here. */
export type SceneName = 'empty' | 'healthy' | 'degraded' | 'hostile' | 'crowd' | 'workshop';

export interface Expected {
  /**
   * Paths that must be among the grounds, or patterns that one of them must match; with a value where the scene fixes it. The value
   * of every ground is compared with the records anyway.
   */
  readonly grounds?: readonly (string | RegExp | readonly [path: string, value: unknown])[];
  /**
   * The query, without what it selects, whose answer is as correct; of such an answer only that it says these is expected, beside
   * `never` and `refuses`.
   */
  readonly query?: readonly [query: string, ...says: readonly RegExp[]];
  /** What the answer must say. */
  readonly says?: readonly RegExp[];
  /** What it must not say. */
  readonly never?: readonly RegExp[];
  /** Commands that must be among the suggestions, as printed. */
  readonly suggests?: readonly string[];
  /** It cannot or must not be answered, and the answer says so. `either`: a denial with grounds is also correct. */
  readonly refuses?: true | 'either';
  /** A refusal is as correct as an answer that has all of the above. */
  readonly mayRefuse?: true;
  /** Asked with the token that opens the ledger. */
  readonly granted?: true;
}

export interface Question extends Expected {
  readonly scene: SceneName;
  /** What was asked before, in the same conversation. */
  readonly after?: string;
  /** `{finding:CHECK}` stands for the id of the first finding of that check, here and in paths. */
  readonly ask: string;
}

type Ground = NonNullable<Expected['grounds']>[number];
/** What is expected, or the grounds of it: one path or pattern, or a list. */
type Wanted = Expected | string | RegExp | readonly Ground[];
const expectedOf = (wanted: Wanted, says: readonly RegExp[]): Expected => {
  const said = says.length > 0 ? { says } : {};
  if (typeof wanted === 'string' || wanted instanceof RegExp) return { grounds: [wanted], ...said };
  return Array.isArray(wanted) ? { grounds: wanted, ...said } : (wanted as Expected);
};

export const one = (scene: SceneName, ask: string, wanted: Wanted, ...says: readonly RegExp[]): Question => ({
  scene,
  ask,
  ...expectedOf(wanted, says),
});

/** The same is expected for every wording; a text separates them by `|` or line ends. */
export const each = (
  scene: SceneName,
  wordings: readonly string[] | string,
  wanted: Wanted,
  ...says: readonly RegExp[]
): Question[] =>
  (typeof wordings === 'string' ? wordings.trim().split(/\s*[|\n]\s*/) : wordings).map((ask) =>
    one(scene, ask, wanted, ...says),
  );

/** A state of the machine that the first edition did not measure: a value of a query, and neither yes nor no. */
export const measured = (scene: SceneName, wordings: string): Question[] =>
  each(scene, wordings, { grounds: [/^query\.rows/], never: [/^(?:Ja|Yes|No|Nein)\b/, /^Nothing/] });
