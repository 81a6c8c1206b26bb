/** Entries of the endpoint table about the service itself, and its pages. */
import { z } from 'zod';
import type { ListenerRole } from '../records/moment.ts';
import { healthz, readyz, version } from '../records/service.ts';
import type { Endpoint } from './endpoint.ts';

const CONTROL = ['control'] as const satisfies readonly ListenerRole[];
const DESK = ['control', 'office'] as const satisfies readonly ListenerRole[];

export const SERVICE_ENDPOINTS = [
  {
    id: 'healthz',
    method: 'GET',
    path: '/healthz',
    roles: CONTROL,
    summary: 'The service answers',
    answer: healthz.schema,
  },
  {
    id: 'readyz',
    method: 'GET',
    path: '/readyz',
    roles: CONTROL,
    summary: 'Whether the service is ready, part by part',
    answer: readyz.schema,
    also: { 503: 'Not ready; the same content' },
  },
  {
    id: 'version',
    method: 'GET',
    path: '/version',
    roles: CONTROL,
    summary: 'What runs here',
    answer: version.schema,
  },
  {
    id: 'metrics',
    method: 'GET',
    path: '/metrics',
    roles: CONTROL,
    summary: 'Figures of the engine for Prometheus',
    answer: 'metrics',
  },
  {
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    roles: CONTROL,
    summary: 'This description',
    answer: 'document',
  },
  {
    id: 'docs-page',
    method: 'GET',
    path: '/docs',
    roles: CONTROL,
    summary: 'The reference of the endpoints',
    answer: 'page',
  },
] as const satisfies readonly Endpoint[];

export const PAGES = [
  { id: 'office-page', method: 'GET', path: '/', roles: DESK, summary: 'The desk office', answer: 'page' },
  {
    id: 'hostess-page',
    method: 'GET',
    path: '/hostess7.html',
    roles: DESK,
    summary: 'The charge report for people',
    answer: 'page',
  },
  {
    id: 'links-page',
    method: 'GET',
    path: '/links.html',
    roles: DESK,
    summary: 'Every link of the desk',
    answer: 'page',
  },
  { id: 'mail-page', method: 'GET', path: '/email/', roles: DESK, summary: 'The mail page', answer: 'page' },
  {
    id: 'asset',
    method: 'GET',
    path: '/assets/{name}',
    roles: ['control', 'office', 'themed', 'public'],
    summary: 'What the pages load: scripts and the style sheet',
    params: z.strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9-]{1,40}\.(js|css)$/)
        .describe('its file name'),
    }),
    answer: 'asset',
  },
  {
    id: 'themed-page',
    method: 'GET',
    path: '/',
    roles: ['themed'],
    summary: 'The same status, themed',
    answer: 'page',
  },
  {
    id: 'theme-style',
    method: 'GET',
    path: '/theme.css',
    roles: ['themed'],
    summary: 'The tokens that [theme] sets',
    answer: 'style',
  },
  {
    id: 'public-page',
    method: 'GET',
    path: '/',
    roles: ['public'],
    summary: 'The public page',
    answer: 'page',
  },
  {
    id: 'public-mail-page',
    method: 'GET',
    path: '/email/',
    roles: ['public'],
    summary: 'The public mail page',
    answer: 'page',
  },
] as const satisfies readonly Endpoint[];
