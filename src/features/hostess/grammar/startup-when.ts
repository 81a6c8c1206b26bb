/** When a startup entry runs, in other languages: the record has it in English. */
import type { Language } from './vocabulary.ts';

const ROWS = `
at boot|beim Booten|al arrancar|au démarrage
at boot, and again whenever it ends|beim Booten und immer wieder, wenn es endet|al arrancar, y de nuevo cada vez que termina|au démarrage, et de nouveau à chaque fin
at boot, and daily|beim Booten und täglich|al arrancar, y a diario|au démarrage, et chaque jour
at boot, without a login|beim Booten, ohne Anmeldung|al arrancar, sin sesión|au démarrage, sans connexion
loaded at boot|beim Booten geladen|se carga al arrancar|chargé au démarrage
when systemd starts the unit|wenn systemd die Unit startet|cuando systemd inicia la unidad|quand systemd lance l’unité
when the systemd of a user starts the unit|wenn das systemd eines Benutzers die Unit startet|cuando el systemd de un usuario inicia la unidad|quand le systemd d’un utilisateur lance l’unité
when the systemd of this user starts the unit|wenn das systemd dieses Benutzers die Unit startet|cuando el systemd de este usuario inicia la unidad|quand le systemd de cet utilisateur lance l’unité
by the period of its folder|im Takt seines Ordners|según el período de su carpeta|selon la période de son dossier
at its times|zu seinen Zeiten|a sus horas|à ses heures
once in its period|einmal in seinem Zeitraum|una vez en su período|une fois par période
once, at its time|einmal, zu seiner Zeit|una vez, a su hora|une fois, à son heure
for every job of this file|für jeden Job dieser Datei|para cada tarea de este archivo|pour chaque tâche de ce fichier
at every login|bei jeder Anmeldung|en cada inicio de sesión|à chaque connexion
at every login by SSH|bei jeder Anmeldung über SSH|en cada entrada por SSH|à chaque connexion par SSH
when this user logs in|wenn dieser Benutzer sich anmeldet|cuando este usuario entra|quand cet utilisateur se connecte
when this user logs in or starts a shell|wenn dieser Benutzer sich anmeldet oder eine Shell startet|cuando este usuario entra o abre una shell|quand cet utilisateur se connecte ou ouvre un shell
when a user logs in to a desktop|wenn ein Benutzer sich am Desktop anmeldet|cuando un usuario entra al escritorio|quand un utilisateur ouvre un bureau
when sudo or doas is asked|wenn sudo oder doas gefragt wird|cuando se pide sudo o doas|quand sudo ou doas est demandé
when packages are installed|wenn Pakete installiert werden|cuando se instalan paquetes|quand des paquets sont installés
when a user runs it|wenn ein Benutzer es startet|cuando un usuario lo ejecuta|quand un utilisateur le lance
when a device appears or changes|wenn ein Gerät erscheint oder sich ändert|cuando un dispositivo aparece o cambia|quand un périphérique apparaît ou change
`;

const TEXTS: ReadonlyMap<string, Readonly<Record<Language, string>>> = new Map(
  ROWS.trim()
    .split('\n')
    .map((row) => {
      const [en = '', de = '', es = '', fr = ''] = row.split('|');
      return [en, { en, de, es, fr }];
    }),
);

/** Null where there is no text in the language. */
export const whenIn = (when: unknown, language: Language): string | null =>
  TEXTS.get(String(when))?.[language] ?? null;
