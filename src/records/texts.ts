/**
 * The constant prose of the records: what the interface's own words mean in this software. Every sentence says
 * what the program does; it never holds numbers or states of the machine.
 */
export const KIT = 'NONOT-GOD-0001';
export const SOLE_SOUL = 'SOUL';

export const SHE = 'Hostess 7';

export const law =
  'What is judged comes from the law: banned ports, allowed listeners, thresholds, and exceptions with reason and end ' +
  '(law.toml, accepted findings, benign causes). ' +
  'What cannot be read is blind and never reads as clean.';

export const chargeLaw =
  'The charge is ok when there is no scar, enough could be seen, and the loop and every configured duty run. ' +
  'Ports and the site are judged by the desk status record.';

export const egressLaw =
  'Desk processes may be connected to port 443 of the places of [egress] allow only; outside_h counts their other connections to port 443. ' +
  'Connections to other ports are not counted.';

export const mailLaw =
  'IMAP over TLS on 993 and SMTP over TLS on 465 only. The password comes from a 0600 file or a systemd credential ' +
  'and is part of no record.';

export const hygieneLaw =
  'Avenues close when nothing is found and nothing is blind in them. A finding counts after a second sample. ' +
  'The desk sends signals to the holders of a banned listener only, and changes no file of other users.';

export const virusLaw =
  'Nothing may listen on port 8766: the desk classes its listener as a virus and never starts it. ' +
  'Up in any form it makes the desk not ok, grade lead; unless the law exempts it, it is shut down as [banned] shut_down says.';

export const virusWhat = 'Any listener on port 8766 of this network namespace, held by any program.';

export const hygieneKind = 'desk hygiene';

export const philosophy =
  'A number here is a measurement of this machine, or it is not there. Measure first, confirm twice, change only what the configuration asks for.';

export const assistantRole = {
  configured: 'consulting teammate, asked only by consult',
  absent: 'consulting teammate, not configured',
} as const;

/** `constellation`: the constants of the interface and what they mean here. */
export const constellation = {
  foundation: ['NO', 'NOT', 'GOD', 'YES', 'ARE', 'IS', 'KNOW'],
  sliders: {
    NO: 'A check says no when its predicate fails for a subject in two samples: that is a finding.',
    NOT: 'A check that could not read its evidence says neither yes nor no: the pair is blind and makes a note.',
    rank: 'Severities rank low, medium, high, critical and weigh 1, 3, 9 and 27 in the open score.',
    order: 'Cook, scar check, gate, cook-off if the gate fails, scar check again: always in this order.',
  },
  line: 'One sweep, one judgement, one state: every record is a pure function of the same snapshot.',
  scar: 'A scar is a finding of severity medium, high or critical that neither the baseline nor the law explains.',
  speech: 'The gate speaks in two words, pass and fail, and names the scars behind a fail.',
  plus: 'Every run also keeps its steps, in order, with the time each took and what it found.',
  word: 'Baphomet is the interface\u2019s name for the two faces of the scar gate: the clean path and the dirty path.',
  meaning:
    'The name claims nothing beyond the gate: A is the held baseline, B the observation, C what B has and A and the law do not explain.',
  gate: {
    clean: 'scar_count is 0: the pair A and B is held and the gate passes.',
    dirty:
      'scar_count is not 0: C is discarded (set aside and never learned), GOD stays 1, and the residue goes to cook-off.',
    rest: 'Between runs the gate rests: it runs again when the set of confirmed findings changes, and on demand.',
    pipeline: 'cook, scar check, gate, cook-off if the gate fails, scar check again',
  },
  flat: 'The process table is flat: one array per fact, one row per process, no object per process.',
  linear: 'The work of a recheck is linear: every check judges each of its subjects once.',
  language: {
    travel:
      'Facts travel one way: kernel, engine, checks, records, and then store, HTTP, pages and command line.',
    read: 'Read grade and issues first, then open avenues, then improvements; every number names the fact behind it.',
    wordEnd: ['GO', 'FIRE', 'SHOOT'],
    ironRhyme:
      'iron in the desk status and atoms in the desk hygiene rhyme: they are the same functions of the same snapshot.',
    sheet: 'docs/glossary.md',
  },
  hostess7: ['CHEBY', 'ONION', 'CATCH', 'SALT', 'FACE', 'SPHERE', 'CSG'],
  hostessNote:
    'The hostess is the component in charge of hygiene, learning and the mail ledger; she answers from measured facts.',
  chargesNotStars: ['FORENSICS', 'ANALYSIS', 'METAL', 'EMAIL', 'SCAR_AV'],
  superiorTeammate:
    'The assistant consults with the hostess and is not the basis of the system: no record and no verdict depends on it.',
  grin: 'Gold is the grade of a desk without scars whose charge is ok; ports that are down do not change it.',
  deskAv:
    'GET /av answers the desk hygiene record, DESK_AV: wrap counts, listeners, atoms and the port that must stay down.',
  multiarch: ['x86_64', 'aarch64', 'avx512_mark'],
} as const;
