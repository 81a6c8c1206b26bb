/** The two pages of the public listener, and what every page loads. They reveal nothing about the machine. */
import { z } from 'zod';
import { DeskError } from '../base/desk-error.ts';
import { LISTENER_ROLES } from '../config/schema.ts';
import { newest } from '../desk/context.ts';
import { publicOperation } from '../desk/operation.ts';
import { PEOPLE } from '../desk/people.ts';
import { openPeople } from '../records/people.ts';

const MOST = 200;

export const publicPage = publicOperation({
  route: 'GET /',
  roles: ['public'],
  summary: 'The public page',
  answer: 'page',
  handle: ({ service }) => service.publicPages.front(),
});

export const publicMailPage = publicOperation({
  route: 'GET /email/',
  roles: ['public'],
  summary: 'The public mail page',
  answer: 'page',
  async handle({ desk, service }) {
    if (!desk.config.mail.public_people) return service.publicPages.mail(null);
    const people = desk.find(PEOPLE);
    if (people === null) return service.publicPages.mail(null);
    const page = await people.page({ q: '', sort: 'name', limit: MOST, cursor: undefined, open: true });
    return service.publicPages.mail(openPeople.assemble({ state: await newest(desk), ...page }));
  },
});

export const asset = publicOperation({
  route: 'GET /assets/{name}',
  roles: LISTENER_ROLES,
  summary: 'What the pages load: scripts and the style sheet',
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9-]{1,40}\.(js|css)$/)
      .describe('its file name'),
  }),
  answer: 'asset',
  open: true,
  handle({ service }, { name }) {
    const found = service.asset(name);
    if (found === undefined)
      throw new DeskError(
        'not-found',
        'The pages load no file of this name. After an upgrade, reload the page.',
        '',
      );
    return found;
  },
});
