/**
 * Where things are served. A link to a listener of our own is given only when something answers there: office links
 * fall back to the control listener, which serves the same pages; with neither bound a link is "".
 */
import type { Config } from '../config/schema.ts';
import type { DeskState, ListenerRole } from './state.ts';

const bound = ({ desk }: DeskState, role: ListenerRole): boolean =>
  desk.service.listeners.some((listener) => listener.role === role && listener.state === 'bound');

const under = (base: string, path: string): string => (base === '' ? '' : `${base}${path}`);

const controlBase = (state: DeskState): string => (bound(state, 'control') ? state.desk.urls.control : '');
const officeBase = (state: DeskState): string =>
  bound(state, 'office') ? state.desk.urls.office : controlBase(state);
const publicBase = (state: DeskState): string =>
  state.desk.site.configured || bound(state, 'public') ? state.desk.urls.public : controlBase(state);

export const control = (state: DeskState, path: string): string => under(controlBase(state), path);
export const office = (state: DeskState, path: string): string => under(officeBase(state), path);
export const publicSite = (state: DeskState, path: string): string => under(publicBase(state), path);
export const themed = (state: DeskState): string =>
  bound(state, 'themed') ? under(state.desk.urls.themed, '/') : '';

export const magazineOf = ({ site, links }: Pick<Config, 'site' | 'links'>): string =>
  site.magazine_url || links.magazine;
export const magazine = ({ desk }: DeskState): string => magazineOf(desk.config);
export const webmail = ({ desk }: DeskState): string =>
  desk.config.links.provider_webmail || desk.config.identity.webmail;
export const mailto = ({ desk }: DeskState): string =>
  desk.config.identity.address === '' ? '' : `mailto:${desk.config.identity.address}`;
