/** Every command. Those of operations follow from their declarations, and features bring theirs. */
import type { CliCommand } from '../command.ts';

type Load = () => Promise<readonly CliCommand[]>;

const declared: Load = async () => {
  const [{ OPERATIONS }, { FEATURES }, { commandsOf }] = await Promise.all([
    import('../../features/table.ts'),
    import('../../service/features.ts'),
    import('../operation-command.ts'),
  ]);
  const loads = FEATURES.flatMap(({ commands = {} }) => Object.values(commands));
  return [...commandsOf(OPERATIONS), ...(await Promise.all(loads.map((load) => load())))];
};

/** What loads a command, in the order of the help: a command line loads no others than it must. Commands not listed here come last. */
const LOADS: Readonly<Record<string, Load>> = {
  boot: async () => [(await import('./boot.ts')).boot],
  install: async () => [(await import('./install.ts')).install],
  uninstall: async () => [(await import('./uninstall.ts')).uninstall],
  status: async () => [(await import('./status.ts')).status],
  stats: async () => [(await import('./stats.ts')).stats],
  findings: async () => [(await import('./findings.ts')).findings],
  check: async () => [(await import('./check.ts')).check],
  watch: async () => [(await import('./watch.ts')).watch],
  open: async () => [(await import('./open.ts')).open],
  token: declared,
  history: async () => [(await import('./history.ts')).history],
  query: async () => [(await import('./query.ts')).query],
  'av close': declared,
  'field clear': declared,
  'scar check': declared,
  'scar cook': declared,
  'spv antivirus': async () => [(await import('./spv-antivirus.ts')).spvAntivirus],
  hidden: async () => [(await import('./hidden.ts')).hidden],
  'secure learn': declared,
  baseline: async () => [(await import('./baseline.ts')).baseline],
  accept: async () => [(await import('./accept.ts')).accept],
  law: async () => [(await import('./law.ts')).law],
  quarantine: async () => [(await import('./quarantine.ts')).quarantine],
  'web check': async () => [(await import('./web-check.ts')).webCheck],
  public: declared,
  mail: declared,
  people: declared,
  who: declared,
  think: declared,
  ask: declared,
  consult: declared,
  mcp: async () => [(await import('./mcp.ts')).mcp],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  'config check': async () => [(await import('./config-check.ts')).configCheck],
  completion: async () => [(await import('./completion.ts')).completion],
  bench: async () => [(await import('./bench.ts')).bench],
};

export async function allCommands(): Promise<readonly CliCommand[]> {
  const all = (await Promise.all([...new Set(Object.values(LOADS))].map((load) => load()))).flat();
  const order = Object.keys(LOADS);
  const place = ({ name }: CliCommand): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return all.sort((one, other) => place(one) - place(other));
}

/** The command that a command line names with those that are loaded with it, else all of them. */
export async function commandsFor([first = '', second = '']: readonly string[]): Promise<
  readonly CliCommand[]
> {
  const name = [first, `${first} ${second}`].find((one) => Object.hasOwn(LOADS, one));
  return name === undefined ? allCommands() : (LOADS[name] as Load)();
}

/** First words of two-word commands, each with what it holds. */
export const groups: Readonly<Record<string, string>> = {
  av: 'close once: a full antivirus pass',
  field: "clear soft|resolute: the desk's own residue",
  scar: 'check, cook check|cook: the scar gate, which allows learning only while no unexplained finding of medium or above, other than a changed program, is open',
  spv: 'antivirus once: the wrap sweep, which shows what the kernel does not confine',
  secure: 'learn once: learn what runs now, or open a learning window',
  web: 'check: the desk ports',
  config: 'check: the configuration file',
};
