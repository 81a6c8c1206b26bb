/** What a desk can do once it is configured: what each gives, and the setting that begins it. */
import type { Config } from '../config/schema.ts';

interface SetUp {
  readonly title: string;
  /** One sentence. */
  readonly gives: string;
  /** The setting, as it is written in the configuration. */
  readonly setting: string;
  readonly isSet: (config: Config) => boolean;
}

export const SET_UP = {
  alerts: {
    title: 'Alerts',
    gives: 'New findings come to your phone, chat, mail or a program of yours.',
    setting: '[[alerts.to]]',
    isSet: ({ alerts }) => alerts.to.length > 0,
  },
  heartbeat: {
    title: 'Heartbeat',
    gives: 'A service elsewhere notices when this desk no longer runs.',
    setting: '[[heartbeat]]',
    isSet: ({ heartbeat }) => heartbeat.length > 0,
  },
  mail: {
    title: 'Mail',
    gives: 'A list of the people you have mail with, and a look-up for an address.',
    setting: '[mail] sources',
    isSet: ({ mail }) => mail.sources.length > 0,
  },
  site: {
    title: 'Public site',
    gives: 'Your web site is probed: whether it answers, its certificate, its names.',
    setting: '[site] public_url',
    isSet: ({ site }) => site.public_url !== '',
  },
  sites: {
    title: 'Further sites',
    gives: 'Other sites and services are probed too.',
    setting: '[[sites]]',
    isSet: ({ sites }) => sites.length > 0,
  },
  status_page: {
    title: 'Status page',
    gives: 'A public page shows how often your sites answered.',
    setting: '[status_page] enabled',
    isSet: ({ status_page: page }) => page.enabled,
  },
  remote: {
    title: 'Access of other machines',
    gives: 'A read-only view of this desk for other machines, with a token.',
    setting: '[listen.remote] enabled',
    isSet: ({ listen }) => listen.remote.enabled,
  },
  themed: {
    title: 'Themed page',
    gives: 'The state alone, in your colours, on a port of its own.',
    setting: '[listen.themed] enabled',
    isSet: ({ listen }) => listen.themed.enabled,
  },
  assistant: {
    title: 'Assistant',
    gives: 'A language model adds its opinion to the answers of the hostess.',
    setting: '[assistant] base_url',
    isSet: ({ assistant }) => assistant.base_url !== '',
  },
} as const satisfies Record<string, SetUp>;

type SetUpId = keyof typeof SET_UP;
export const SET_UP_IDS = Object.keys(SET_UP) as readonly SetUpId[];

export const notSetUp = (config: Config): readonly SetUpId[] =>
  SET_UP_IDS.filter((id) => !SET_UP[id].isSet(config));
