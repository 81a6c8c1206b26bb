/** The form of a database, one numbered step per change. A step that was released is never edited; append the next. */

export interface Migration {
  /** 1, 2, 3, …: the `user_version` after it ran. */
  readonly version: number;
  readonly sql: string;
}

/** What the store keeps for itself. */
const own: readonly Migration[] = [
  {
    version: 1,
    sql: 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  },
];

/** The steps of the store and of every feature: those of one version are one step, in the order of the features. */
export function stepsOf(...features: readonly (readonly Migration[])[]): readonly Migration[] {
  const steps = new Map<number, string>();
  for (const { version, sql } of [own, ...features].flat())
    steps.set(version, `${steps.get(version) ?? ''}\n${sql}`);
  return [...steps].map(([version, sql]) => ({ version, sql })).sort((a, b) => a.version - b.version);
}
