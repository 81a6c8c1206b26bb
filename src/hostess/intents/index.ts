/** Every intent. The surest answers; of equally sure ones the first. */
import type { Intent } from '../intent.ts';
import { assistant, clock, devices, duties, help, recheck, temperature, version } from './about.ts';
import { changes } from './changes.ts';
import { avenues, blind, finding, findings } from './judged.ts';
import { baseline, gate, law } from './learned.ts';
import { people, who } from './ledger.ts';
import { fried, named, process_, processes, unwrapped, user, withheld } from './machine.ts';
import { egress, elsewhere, listeners, port, ports, virus } from './network.ts';
import { certificate, contents, mail, site } from './outside.ts';
import { future, lost, order, secret, trick } from './refusals.ts';
import { cook, grade, score, should, well } from './state.ts';
import { avenue, howTo, links, lists, meaning, unknownMeaning } from './words.ts';

export const INTENTS: readonly Intent[] = [
  trick,
  order,
  finding,
  withheld,
  elsewhere,
  secret,
  who,
  user,
  process_,
  virus,
  port,
  findings,
  avenue,
  meaning,
  contents,
  unknownMeaning,
  certificate,
  people,
  listeners,
  named,
  unwrapped,
  future,
  links,
  baseline,
  fried,
  lists,
  howTo,
  help,
  clock,
  changes,
  blind,
  temperature,
  devices,
  duties,
  assistant,
  score,
  recheck,
  egress,
  grade,
  ports,
  version,
  site,
  gate,
  law,
  cook,
  processes,
  avenues,
  should,
  mail,
  well,
  lost,
];
