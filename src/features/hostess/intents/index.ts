/**
 * All intents; of equal scores the first wins. A new one is an `Intent` in the file of its subject and its name here; its words go
 * into the lexicon, and questions with the expected grounds into test/features/hostess/questions (a test requires them).
 */
import type { Intent } from '../intent.ts';
import {
  assistant,
  clock,
  devices,
  duties,
  help,
  outcomes,
  recheck,
  temperature,
  uptime,
  version,
} from './about.ts';
import { beyond } from './beyond.ts';
import { byMeaning, endpoint, howTo } from './by-meaning.ts';
import { changes } from './changes.ts';
import { facts } from './facts.ts';
import { installed } from './installed.ts';
import { avenue, avenues, blind, finding, findings, hidden, mentioned } from './judged.ts';
import { baseline, gate, law } from './learned.ts';
import { people, who } from './ledger.ts';
import { fried, named, number, process_, processes, unwrapped, withheld } from './machine.ts';
import { connections, deskPort, egress, elsewhere, listeners, port, ports, virus } from './network.ts';
import { certificate, contents, identity, mail, site } from './outside.ts';
import { packages } from './packages.ts';
import {
  deeds,
  fileContents,
  future,
  lost,
  notHere,
  order,
  past,
  quarantine,
  secret,
  trick,
  unmeasured,
  world,
} from './refusals.ts';
import { cook, grade, score, should, well } from './state.ts';
import { check, field, links, lists, meaning, unknownMeaning } from './words.ts';

export const INTENTS: readonly Intent[] = [
  ...[trick, order, secret, future, unmeasured, past, quarantine, lost],
  ...[world, fileContents, deeds, notHere],
  ...[beyond, facts, installed, packages],
  ...[finding, findings, mentioned, avenue, avenues, blind, hidden],
  ...[withheld, process_, number, named, unwrapped, fried, processes],
  ...[elsewhere, virus, port, deskPort, ports, listeners, connections, egress],
  ...[who, people, meaning, unknownMeaning, field, check, endpoint, links, lists, howTo],
  ...[certificate, contents, site, identity, mail],
  ...[help, clock, uptime, outcomes, temperature, devices, duties, assistant, recheck, version],
  ...[changes, baseline, gate, law, score, grade, cook, should, well, byMeaning],
];
