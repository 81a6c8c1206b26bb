/** Every command, in the order of the help. Those of operations follow from their declarations. */
import type { Command } from '../command.ts';

type Load = () => Promise<readonly Command[]>;

const ofOperations: Load = async () => {
  const [{ OPERATIONS }, { commandsOf }] = await Promise.all([
    import('../../operations/table.ts'),
    import('../operation-command.ts'),
  ]);
  return commandsOf(OPERATIONS);
};

/** What loads a command, by its name: a command line loads no other than its own. */
const LOADS: Readonly<Record<string, Load>> = {
  boot: async () => [(await import('./boot.ts')).boot],
  status: async () => [(await import('./status.ts')).status],
  stats: async () => [(await import('./stats.ts')).stats],
  findings: async () => [(await import('./findings.ts')).findings],
  watch: async () => [(await import('./watch.ts')).watch],
  open: async () => [(await import('./open.ts')).open],
  history: async () => [(await import('./history.ts')).history],
  '': ofOperations,
  'spv antivirus': async () => [(await import('./spv-antivirus.ts')).spvAntivirus],
  hidden: async () => [(await import('./hidden.ts')).hidden],
  baseline: async () => [(await import('./baseline.ts')).baseline],
  accept: async () => [(await import('./accept.ts')).accept],
  law: async () => [(await import('./law.ts')).law],
  quarantine: async () => [(await import('./quarantine.ts')).quarantine],
  'web check': async () => [(await import('./web-check.ts')).webCheck],
  public: async () => [(await import('./public.ts')).publicSite],
  mail: async () => [(await import('./mail.ts')).mail],
  people: async () => [(await import('./people.ts')).people],
  consult: async () => [(await import('./consult.ts')).consult],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  'config check': async () => [(await import('./config-check.ts')).configCheck],
  bench: async () => [(await import('./bench.ts')).bench],
};

/** In this order the help lists them; others follow. */
const ORDER: readonly string[] = [
  ...['boot', 'status', 'stats', 'findings', 'watch', 'open', 'history', 'av close', 'field clear'],
  ...['scar check', 'scar cook', 'spv antivirus', 'hidden', 'secure learn', 'baseline', 'accept', 'law'],
  ...[
    'quarantine',
    'web check',
    'public',
    'mail',
    'people',
    'who',
    'think',
    'consult',
    'doctor',
    'config check',
  ],
  'bench',
];

export async function allCommands(): Promise<readonly Command[]> {
  const all = (await Promise.all(Object.values(LOADS).map((load) => load()))).flat();
  const place = ({ name }: Command): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return all.sort((one, other) => place(one) - place(other));
}

/** The command that a command line names where it is one of these, else all of them. */
export async function commandsFor([first = '', second = '']: readonly string[]): Promise<readonly Command[]> {
  const name = [first, `${first} ${second}`].find((one) => one !== '' && Object.hasOwn(LOADS, one));
  return name === undefined ? allCommands() : (LOADS[name] as Load)();
}

/** First words of two-word commands, each with what it holds. */
export const groups: Readonly<Record<string, string>> = {
  av: 'close once: a full antivirus pass',
  field: "clear soft|resolute: the desk's own residue",
  scar: 'check, cook check|cook: the scar gate',
  spv: 'antivirus once: the wrap sweep',
  secure: 'learn once: learn what runs now, or open a learning window',
  web: 'check: the desk ports',
  config: 'check: the configuration file',
};
