/** Every link of the desk with what is known of its target. Nothing is asked for it: own listeners and the site are known already. */
import { z } from 'zod';
import { answersWell } from './derive.ts';
import { deskStatus } from './desk-status.ts';
import * as links from './links.ts';
import type { Moment } from './moment.ts';

const state = z.enum(['answers', 'silent', 'unset', 'not-looked-at', 'no-link']);

export const linkStateSchema = z.strictObject({
  group: z.enum(['nav', 'whole_stick']).describe('where it is in the desk status'),
  name: z.string().describe('its key there'),
  target: z.string().describe('the link; "" when unset'),
  state: state.describe(
    'answers; silent: it did not answer well; unset: not configured or nothing answers there; not-looked-at: elsewhere, the desk does not ask it; no-link: a text',
  ),
  detail: z.string().describe('what is known, or how to set it; "" when that is all'),
});
type LinkState = z.output<typeof linkStateSchema>;

/** Names whose target is a listener of our own: given only while it is bound. */
const OWN = /^(employee|themed_local_optional|links|hostess7|h7_charge|claws_local|office_local)$/;

/** Where a link is set, for those that the configuration sets. */
const SETTING: Readonly<Record<string, string>> = {
  magazine: '[site] magazine_url',
  email: '[identity] address',
  provider_webmail: '[identity] webmail',
  themed_local_optional: '[listen.themed] enabled',
};

function known(
  moment: Moment,
  group: LinkState['group'],
  name: string,
  target: string,
): Pick<LinkState, 'state' | 'detail'> {
  const { site } = moment.desk;
  if (target === '') return { state: 'unset', detail: `set it with ${SETTING[name] ?? `[links] ${name}`}` };
  if (!/^(https?|mailto):/.test(target)) return { state: 'no-link', detail: '' };
  const siteState = (ok: boolean, detail: string): Pick<LinkState, 'state' | 'detail'> => ({
    state: ok ? 'answers' : 'silent',
    detail,
  });
  if (name === 'public_site' || (group === 'whole_stick' && name === 'email'))
    return siteState(
      answersWell(site.status),
      answersWell(site.status) ? `the site answered ${site.status}` : site.reason,
    );
  if (target === links.magazine(moment))
    return siteState(site.magazineOk, site.magazineOk ? '' : 'the magazine did not answer well');
  const own = Object.values(moment.desk.urls).some((base) => base !== '' && target.startsWith(`${base}/`));
  if (OWN.test(name) && own) return { state: 'answers', detail: 'a listener of the desk' };
  return { state: 'not-looked-at', detail: '' };
}

export function linkStates(moment: Moment): LinkState[] {
  const { nav, whole_stick } = deskStatus.assemble(moment);
  return (
    [
      ['nav', nav],
      ['whole_stick', whole_stick],
    ] as const
  ).flatMap(([group, all]) =>
    Object.entries(all).map(([name, target]) => ({
      group,
      name,
      target,
      ...known(moment, group, name, target),
    })),
  );
}
