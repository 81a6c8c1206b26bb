/** The public site with its certificate, names and magazine; mail. */

import { either, part, plain, plural, type Speech } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { quoted } from '../paths.ts';
import type { World } from '../query-context.ts';
import type { Understood } from '../understand.ts';

const TOLD = 6;

export const certificate: Intent = {
  id: 'certificate',
  score: ({ question }) =>
    question.has('certificate') ? 70 : question.has('expire') && !question.has('law') ? 60 : 0,
  answer(speech) {
    speech.suggest('desk public');
    if (speech.value('site.configured') === false) {
      speech.say`I do not know: no site is configured, so there is no certificate to look at.`;
      return false;
    }
    if (speech.look('site.certificate.days') === undefined) {
      speech.ground('site.certificate');
      speech.say`I do not know: no certificate was seen at ${speech.ground('site.url')}. ${speech.ground('site.reason')}.`;
      return false;
    }
    const get = (key: string) => speech.ground(`site.certificate.${key}`);
    const [days, until, verified] = [get('days'), get('valid_to'), get('verified')];
    if (Number(days.value) < 0)
      speech.say`The certificate of ${get('subject')} has ended at ${until}, days left: ${days}.`;
    else
      speech.say`The certificate of ${get('subject')}, signed by ${get('issuer')}, lasts ${days} more ${plural(days, 'day', 'days')}, until ${until}.`;
    speech.say`Its chain ${verified.value === true ? plain('verifies') : part`does not verify: ${get('problem')}`}.`;
    if (speech.value('charge.global_protect.le_ready') === false)
      speech.say`That is not good: it should verify and last longer, so renew it.`;
    return true;
  },
};

const HOST = /^[\w-]+(?:\.[\w-]+)+$/;

/** One of the names of the site stands in the question. */
const namesHost = ({ tokens, has, any }: Understood, world: World): boolean =>
  !any('certificate', 'connection', 'law') &&
  !has('mail', 'not') &&
  ((world.read('site.names') ?? []) as readonly { readonly name: string }[]).some(({ name }) =>
    tokens.includes(name),
  );

export const site: Intent = {
  id: 'site',
  score: ({ question, world }) =>
    namesHost(question, world)
      ? 72.5
      : question.has('name_service') && !question.any('process', 'people')
        ? 53
        : question.has('magazine')
          ? 54
          : question.has('site')
            ? 51
            : 0,
  answer(speech, { question }) {
    speech.suggest('desk public');
    const status = speech.ground('site.status');
    const ok = speech.ground('site.ok');
    if (speech.value('site.configured') === false)
      speech.say`No site is configured; the embedded public page takes its place.`;
    if (status.value === 0) speech.say`The site ${speech.ground('site.url')} did not answer.`;
    else
      speech.say`The site ${speech.ground('site.url')} answers ${status}, which is ${either(ok, 'good', 'not good')}.`;
    if (speech.value('site.reason') !== '') speech.say`${speech.ground('site.reason')}.`;
    const [probed, ms] = [speech.ground('site.probed'), speech.ground('site.ms')];
    if (probed.value !== null) speech.say`It was probed at ${probed}.`;
    if (ms.value !== null) speech.say`It took ${ms} ms.`;
    const [green, total] = [speech.ground('page.site.dns_green'), speech.ground('page.site.dns_total')];
    speech.say`${green} of ${total} names resolve.`;
    const names = speech.look<readonly { name: string; resolves: boolean }[]>('site.names') ?? [];
    for (const host of question.has('name_service') ? question.names.filter((one) => HOST.test(one)) : [])
      if (!names.some(({ name }) => name === host))
        speech.say`${plain(`"${host}"`)} is not among the ${speech.ground('site.names.length')} names that I look up.`;
    for (const { name, resolves } of names.slice(0, TOLD)) {
      const row = `site.names[name=${quoted(name)}]`;
      speech.ground(`${row}.resolves`);
      if (!resolves) speech.say`${speech.ground(`${row}.name`)} does not: ${speech.ground(`${row}.reason`)}.`;
    }
    sayMagazine(speech, question.has('magazine'));
    const changed = (speech.look<readonly { changed: string }[]>('site.history') ?? []).findIndex(
      (line) => line.changed !== '',
    );
    if (changed >= 0)
      speech.say`Its last change: ${speech.ground(`site.history[${changed}].changed`)}, at ${speech.ground(`site.history[${changed}].at`)}.`;
    return true;
  },
};

function sayMagazine(speech: Speech, asked: boolean): void {
  if (speech.look('site.magazine.ok') !== undefined) {
    const ok = speech.ground('site.magazine.ok');
    speech.say`The magazine ${speech.ground('site.magazine.url')} answers ${speech.ground('site.magazine.status')}, which is ${either(ok, 'good', 'not good')}.`;
  } else if (asked) {
    speech.ground('page.site.magazine_ok');
    speech.say`The magazine was not looked at, or none is configured.`;
  }
}

export const mail: Intent = {
  id: 'mail',
  score: ({ question }) => {
    // Whether a password is set is no secret.
    if (
      question.has('secret', 'mail') &&
      question.says(
        /\b(?:set|fail\w*|refus\w*|reject\w*|because|gesetzt|configured|konfiguriert|defini|configurad)/,
      )
    )
      return 94;
    if (question.has('client')) return 58;
    return question.has('mail') ? 45 : 0;
  },
  answer(speech) {
    speech.suggest('desk mail');
    const configured = speech.ground('mail.configured');
    const trouble = speech.ground('mail.trouble');
    if (configured.value === false) speech.say`No source of people is configured, so no ledger is kept.`;
    else if (trouble.value === '') speech.say`Mail is read as it should be.`;
    else speech.say`Mail is not read as it should be: ${trouble}.`;
    const sources =
      speech.look<readonly { source: string; state: string; progress: unknown }[]>('mail.sources') ?? [];
    for (const { source, state, progress } of sources.slice(0, TOLD)) {
      const named = `mail.sources[source=${quoted(source)}]`;
      speech.say`Source ${speech.ground(`${named}.source`)} is ${speech.ground(`${named}.state`)}, ${speech.ground(`${named}.read`)} messages read.`;
      if (state === 'failed') speech.say`${speech.ground(`${named}.reason`)}.`;
      if (progress !== null)
        speech.say`Its import has done ${speech.ground(`${named}.progress.done`)} of ${speech.ground(`${named}.progress.total`)} messages; seconds left: ${speech.ground(`${named}.progress.left_sec`)}.`;
    }
    const [set, client] = [speech.ground('mail.pass_set'), speech.ground('mail.claws_up')];
    const exported = speech.ground('mail.ledger.export');
    if (exported.value !== '') speech.say`The ledger was exported to ${exported}.`;
    speech.say`A password is ${either(set, 'set', 'not set')}; the mail client ${either(client, 'runs', 'does not run')}.`;
    return true;
  },
};

const SERVER = /\b(?:imap|smtp)\b/u;
const ADDRESS = /\b(?:addres\w*|(?:mail)?adress\w*|direccion)\b/u;
const PLACE = /\b(?:host|server|serveur|servidor|port|puerto|user|adress\w*|addres\w*)\b/u;

/** As whom the desk does mail, and by which servers. */
export const identity: Intent = {
  id: 'identity',
  score: ({ question }) => {
    if (question.entities.address !== null || question.has('link')) return 0;
    const asked =
      (question.has('identity') && !question.any('baseline', 'process')) ||
      (question.says(SERVER) && question.says(PLACE)) ||
      (question.any('mail', 'write') && question.says(ADDRESS)) ||
      (question.says(ADDRESS) && question.says(/\bsend(?:s|ing)?\b/));
    return asked ? 64 : 0;
  },
  answer(speech) {
    speech.suggest('desk mail');
    const get = (key: string) => speech.ground(`status.identity.${key}`);
    const [address, provider, updated] = [get('address'), get('provider'), get('updated')];
    if (address.value === '') speech.say`No mail address is configured.`;
    else speech.say`The mail address of the desk is ${address}.`;
    const name = get('from_name');
    if (name.value !== '') speech.say`Its mails are from ${name}.`;
    for (const kind of ['imap', 'smtp']) {
      const [host, number] = [get(`${kind}_host`), get(`${kind}_port`)];
      if (host.value === '') speech.say`No ${plain(kind)} server is configured; its port is ${number}.`;
      else speech.say`The ${plain(kind)} server is ${host}, port ${number}.`;
    }
    if (provider.value !== '') speech.say`The provider is ${provider}.`;
    if (updated.value !== '') speech.say`The identity was last changed on ${updated}.`;
    return true;
  },
};

const ALOUD = /^(?:read|lies|lis|lee)\b.* mail\b/;
const INSIDE =
  /\bwhat(?: is| was|s|s the)? (?:in|inside|contents? of|text of)\b.*\b(?:mails?|messages?|letters?)\b/;
const SAYS =
  /\b(?:write|wrote|say|said|says|schrieb|geschrieben|ecrit|dit|escribio|dijo|subject|betreff|attachment)\b/;

/** What a mail says is read by nobody here. */
export const contents: Intent = {
  id: 'contents',
  score: ({ question }) => {
    const told = question.says(SAYS) || question.says(ALOUD);
    const asked =
      (question.says(INSIDE) ||
        question.says(/\bwhat (?:did|does|has) \w+ (?:say|said|write|wrote|written|want)/) ||
        (question.has('mail') && told)) &&
      !question.says(/^who\b/);
    return asked && question.entities.address === null ? 75 : 0;
  },
  answer(speech) {
    speech.say`I do not know: of mail only names, addresses, times and counts are kept, never what it says.`;
    return false;
  },
};
