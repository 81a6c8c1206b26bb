/** Questions of two sets by people who had not seen the hostess, of classes that she had answered wrongly; in the scene of a healthy desk. */
import { one, type Question } from './question.ts';

type Wanted = Parameters<typeof one>[2];
const ask = (text: string, says: RegExp, wanted: Wanted = /./): Question =>
  one('healthy', text, wanted, says);
const after = (before: string, text: string, says: RegExp): Question => ({
  ...ask(text, says),
  after: before,
});
/** It says that it is not known, or who does it. */
const unknown = (text: string, says: RegExp): Question =>
  one('healthy', text, { refuses: true, says: [says] });

export const ASKED: readonly Question[] = [
  // Words that were missing.
  ask('Welche Cronjobs sind auf dieser Maschine eingerichtet?', /^3 Starteinträge von cron/),
  ask('Qui peut ouvrir une session sur cette machine, et par quel moyen ?', /^2 comptes .*ada.*bob/),
  ask("Donne-moi la liste de ce qui n'a pas pu être jugé.", /^Aucun \(0\)/),
  ask('Combien de processus appartiennent à root ?', /^14 processus de root/),
  ask('Dime qué servicios de systemd arrancan solos.', /^4 entradas de inicio de systemd/),
  ask('Läuft cron?', /^Nein \(0\): .*cron/),
  ask('Is mongodb listening anywhere?', /^No \(0\): .*mongodb/),
  ask('¿está jellyfin encendido?', /^No \(0\): .*jellyfin/),
  ask("what's down", /^None \(0\): there are no desk ports down/),
  ask('est-ce que Bob peut devenir administrateur ?', /^Non \(0\)/),
  // Distinct values, sums by group, figures of samples.
  ask('How many distinct programs have at least one public listener?', /^2 different programs: 3 listeners/),
  ask('Wie viele verschiedene Benutzer haben gerade Prozesse laufen?', /^7 verschiedene Benutzer/),
  ask('How many distinct executables are running?', /^21 different programs/),
  ask('Which user has the most threads?', /^ada: 92 threads/),
  ask('total number of kernel threads, please', /^6 processes of the kernel/),
  unknown("What's the longest recheck we've ever recorded?", /no samples are kept/),
  unknown('Quel est le nombre maximal de processus jamais mesuré ?', /aucune mesure/),
  { ...unknown('And the max?', /no samples are kept/), after: 'What is the average recheck duration?' },
  { ...unknown('und gestern?', /nicht bekannt/), after: 'wie viele Prozesse laufen gerade' },
  // What confines, deleted programs, set-uid programs.
  ask('Which processes use seccomp?', /^11 processes confined by seccomp/),
  ask('What percentage of running processes are confined by AppArmor?', /^0 %: 0 of 33/),
  ask('Which processes run a deleted executable?', /^None \(0\)/),
  ask("Name every set-uid program that doesn't belong to a package.", /^None \(0\): .*set-user-ID/),
  // Accounts.
  ask('Is root allowed to log in with a password?', /^No \(0\)/),
  ask('Who logged in today?', /^None \(0\): .*\(today\)/),
  ask('Which accounts have never logged in?', /^3 accounts .*root.*bob.*www-data/),
  ask('Which accounts cannot log in?', /^2 accounts that cannot log in: root .*www-data/),
  ask('Does any service account have a login shell?', /^No \(0\)/),
  ask('¿cuántas personas pueden entrar en mi máquina?', /^2 cuentas/),
  // Ports, findings, the gate.
  ask('Is the public desk port up?', /^Yes: public/),
  ask('Depuis quand le port public est-il tombé ?', /^public .*est actif/),
  ask('Why is there a finding about port 25?', /^None \(0\): there are no findings on port 25/),
  ask('Has the gate ever failed?', /^Yes, 1 gate run that failed/),
  ask('Wie hoch ist der Anteil der Gate-Läufe, die bestanden haben?', /^66\.7 %: 2 von 3/),
  ask('nginx start time', /^Since 2026-11-13T09:21:12/),
  // Follow-ups that order and group.
  after('Which processes does ada run?', 'sort them by age', /^pipewire \(pid 731\), started/),
  after('Which processes does ada run?', 'sort by threads', /^chromium \(pid 1310\), threads 24/),
  after('How many processes are running?', 'per user?', /^root: 14 processes; ada: 14/),
  after("what's the pid of sshd", 'parent?', /^1 \(parent pid\): sshd/),
  // What to do, and what words mean.
  ask("What command closes a finding once I've fixed it?", /closes by itself/),
  ask('Which desk command makes the baseline learn a new program?', /desk secure learn once/),
  unknown('¿Cómo renuevo el certificado antes de que caduque?', /certbot renew/),
  ask('Was bedeutet "Gate" bei dir?', /hygiene gate: the step/),
  ask("what's a zombie process?", /^fried: a process that has ended/),
  ask("What does the 'wrap' field stand for?", /^wrap: confinement by the kernel/),
];
