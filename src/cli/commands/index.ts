/** Every command, in the order of the help: those of operations follow from their declarations. */
import { OPERATIONS } from '../../operations/table.ts';
import type { Command } from '../command.ts';
import { commandsOf } from '../operation-command.ts';
import { accept } from './accept.ts';
import { baseline } from './baseline.ts';
import { bench } from './bench.ts';
import { boot } from './boot.ts';
import { configCheck } from './config-check.ts';
import { consult } from './consult.ts';
import { doctor } from './doctor.ts';
import { findings } from './findings.ts';
import { hidden } from './hidden.ts';
import { history } from './history.ts';
import { law } from './law.ts';
import { mail } from './mail.ts';
import { open } from './open.ts';
import { people } from './people.ts';
import { publicSite } from './public.ts';
import { quarantine } from './quarantine.ts';
import { spvAntivirus } from './spv-antivirus.ts';
import { stats } from './stats.ts';
import { status } from './status.ts';
import { watch } from './watch.ts';
import { webCheck } from './web-check.ts';

export const commands: readonly Command[] = [
  boot,
  status,
  stats,
  findings,
  watch,
  open,
  history,
  ...commandsOf(OPERATIONS),
  spvAntivirus,
  hidden,
  baseline,
  accept,
  law,
  quarantine,
  webCheck,
  publicSite,
  mail,
  people,
  consult,
  doctor,
  configCheck,
  bench,
];

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
