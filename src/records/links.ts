/**
 * Where things are served. A link to a listener of our own is given only when something answers there: office links
 * fall back to the control listener, which serves the same pages; with neither bound a link is "".
 */
import type { Config } from '../config/schema.ts';
import type { ListenerRole, Moment } from './moment.ts';

const bound = ({ desk }: Moment, role: ListenerRole): boolean =>
  desk.service.listeners.some((listener) => listener.role === role && listener.state === 'bound');

const under = (base: string, path: string): string => (base === '' ? '' : `${base}${path}`);

const controlBase = (moment: Moment): string => (bound(moment, 'control') ? moment.desk.urls.control : '');
const officeBase = (moment: Moment): string =>
  bound(moment, 'office') ? moment.desk.urls.office : controlBase(moment);
const publicBase = (moment: Moment): string =>
  moment.desk.site.configured || bound(moment, 'public') ? moment.desk.urls.public : controlBase(moment);

export const control = (moment: Moment, path: string): string => under(controlBase(moment), path);
export const office = (moment: Moment, path: string): string => under(officeBase(moment), path);
export const publicSite = (moment: Moment, path: string): string => under(publicBase(moment), path);
export const themed = (moment: Moment): string =>
  bound(moment, 'themed') ? under(moment.desk.urls.themed, '/') : '';

export const magazineOf = ({ site, links }: Pick<Config, 'site' | 'links'>): string =>
  site.magazine_url || links.magazine;
export const magazine = ({ desk }: Moment): string => magazineOf(desk.config);
export const webmail = ({ desk }: Moment): string =>
  desk.config.links.provider_webmail || desk.config.identity.webmail;
export const mailto = ({ desk }: Moment): string =>
  desk.config.identity.address === '' ? '' : `mailto:${desk.config.identity.address}`;
