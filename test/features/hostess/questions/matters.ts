/** What to do about a named matter, what comes first, why an alert came, features and limits of the desk, and follow-ups of findings. */
import { one, type Question } from './question.ts';

type Wanted = Parameters<typeof one>[2];
const ask = (text: string, says: RegExp, wanted: Wanted = /./): Question =>
  one('workshop', text, wanted, says);
const after = (before: string, text: string, says: RegExp): Question => ({
  ...ask(text, says),
  after: before,
});
/** It says that it is not known, or who does it. */
const unknown = (text: string, says: RegExp): Question =>
  one('workshop', text, { refuses: true, says: [says] });

export const MATTERS: readonly Question[] = [
  // The findings about what is named, and none about something else.
  ask("You say there's an unknown ssh key. What do I do now?", /^No open finding is about "ssh key"/),
  ask(
    'what do I do about the listener on 48790',
    /^medium: tcp 0\.0\.0\.0:48790 .*What to do: end process 700/,
  ),
  ask('was soll ich wegen python3 machen', /^medium: tcp 0\.0\.0\.0:48790/),
  ask('qué hago con el proceso que usa LD_PRELOAD', /^high: Process 720/),
  ask('que dois-je faire pour le port 48790', /^medium: tcp 0\.0\.0\.0:48790/),
  ask('what do I do about port 9999', /^None \(0\)/),
  ask("are there kernel modules loaded that shouldn't be", /^No open finding is about "kernel modules"/),
  ask('y a-t-il des clés ssh inconnues ?', /^Aucun constat ouvert ne parle de "clés ssh"/),
  ask('any suspicious processes?', /^high: Process 720 .*Process 710/),
  ask('seit wann gibt es das Problem mit Port 48790', /^Zuerst gesehen 2026-11-22T09:55/),
  // What comes first.
  ask('what should I fix first', /^The worst one first: high: Process 720 .*4\.$/),
  ask('Was soll ich gegen den schlimmsten Befund tun', /^Das Schlimmste zuerst .*high: Process 720/),
  ask('por dónde empiezo', /^Primero lo peor .*high: Process 720/),
  ask('par quoi je commence', /^D’abord le pire .*high : Process 720|^D’abord le pire .*high: Process 720/),
  ask('highest severity finding?', /^high: Process 720/),
  ask('welcher Befund ist am dringendsten', /^high: Process 720/),
  // Why, and alerts.
  unknown('Warum ist der Port 5432 als Problem gemeldet?', /^Kein offener Befund handelt von "5432"/),
  unknown('why did the alert for high cpu come up again, I thought that was fixed', /about "cpu"/),
  ask('pourquoi j’ai reçu une alerte ce matin ?', /^Aucun \(0\): il n’y a pas de messages d’alerte/),
  ask('¿Hubo algún aviso durante el fin de semana?', /^Ninguno \(0\): no hay mensajes de alerta/),
  ask('gab es am Wochenende Warnungen?', /^Keine \(0\): es gibt keine Alarmmeldungen/),
  after('any alerts fired today?', 'and in the last hour?', /^None \(0\): there are no alert messages/),
  unknown('when was port 3000 first seen', /no finding was ever about port 3000/),
  ask('which problems were solved today', /^1 finding that closed \(today\)/),
  // What is known of programs and updates.
  ask('is nginx in the baseline', /^No: nginx does not run now, and is not among what was learned/),
  ask('ist python3 in der Baseline', /^Ja: python3 läuft/),
  ask('está nginx en la línea base', /^No: nginx no se ejecuta ahora/),
  ask('est-ce que sshd est connu ?', /^Oui/),
  ask('muss ich mir wegen der ausstehenden updates sorgen machen?', /^Ja: ausstehende Aktualisierungen: 3/),
  // How something is done, and what there is not.
  ask('where do I set the email address for the alerts?', /^In the configuration, desk\.toml: alerts\.to/),
  ask('wo trage ich die Mailadresse für Alarme ein', /alerts\.to\.address/),
  unknown('last successful backup of your own data?', /makes no backups/),
  ask('como hago para restaurar una copia de seguridad tuya', /baseline\.key/),
  ask('how do I silence it for an hour', /^desk quiet 1h/),
  ask('wie schalte ich dich für zwei Tage stumm', /^desk quiet/),
  ask('how do I get a weekly report', /^There is none for a week or month/),
  ask('can you watch a second website', /^In the configuration, desk\.toml: sites\.name/),
  ask('peux-tu surveiller un autre site ?', /sites\.name/),
  ask('how can i unblock a port that I blocked by accident', /banned\.also/),
  ask('cómo desbloqueo un puerto', /banned\.also/),
  ask('what can I do with the law file', /^law\.toml is beside the configuration file/),
  ask('ich bekomme zu viele Alarme', /^Für weniger Alarme/),
  ask('how can I keep history longer', /^Figures over time are kept for seven days/),
  ask('what privileges do you need', /desk doctor/),
  ask('what’s the difference between a warning and a critical finding', /four severities/),
  ask('welche Schweregrade gibt es', /vier Schweren/),
  ask('theres a red thing on the page what is it', /good is ok, warn is not ok/),
  unknown('is anybody else watching this page right now', /no record counts who has the page open/),
  unknown('ist es schlimm wenn ein Dienst als root läuft', /^Keine Prüfung beurteilt/),
  unknown('write me a bash script that deletes old logs', /^I cannot answer that/),
  unknown('Peux-tu me traduire un texte en italien ?', /^Je ne peux pas répondre/),
  ask('what do the severities mean', /four severities/),
  ask('alert me only for high and critical', /alerts\.least/),
  ask('are there unknown programs', /^No open finding is about "programs"/),
  // Follow-ups of findings.
  after('which findings are open?', 'are any of them critical', /^No \(0\)/),
  after('show the open findings', 'the second one', /^medium: tcp 0\.0\.0\.0:48790/),
  after('show the open findings', 'explain the first one', /^high: Process 720 .*It may be harmless/),
  after('what changed since yesterday', 'is any of that dangerous', /^Yes: /),
  after('was hat sich seit gestern geändert', 'ist davon was gefährlich', /critical|Befund/),
];
