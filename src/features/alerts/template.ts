/** Bodies of webhooks: JSON in which `{{name}}` is a value of the message. Pure. */
import { FIELD, ITEM_FIELDS, MESSAGE_FIELDS } from '../../config/alert-template.ts';
import { type AlertItem, type AlertMessage, overText } from './message.ts';
import { type Escape, escaped, visible } from './plain-words.ts';

const HOUR_MS = 3_600_000;
/** How long the alert of a test lasts there. */
const TEST_MS = 5 * 60_000;
/**
 * How long the alert of an item that is already over lasts, from the time it is sent: an Alertmanager ignores alerts that have already ended, and notifies
 * of a new alert of a known group after `group_interval`, 5 minutes by default (https://prometheus.io/docs/alerting/latest/configuration/).
 */
const OVER_MS = 15 * 60_000;
/** How long that of a short form does while something is open: no later message has its id. */
const SHORT_MS = 24 * HOUR_MS;

export interface TemplateParts {
  /** JSON with fields in double braces; "" is the message itself. */
  readonly template: string;
  /** The same for each of `{{items}}`; "" is the item itself. */
  readonly each: string;
  readonly escape: Escape;
  /** Hours between two reminders. */
  readonly remindHours: number;
  /** When it is sent, ms since the epoch: it may have waited for its target. */
  readonly nowMs: number;
}

type Fields = Readonly<Record<string, () => unknown>>;

const fill = (template: string, fields: Fields): unknown =>
  JSON.parse(template.replace(FIELD, (_, name: string) => JSON.stringify(fields[name]?.() ?? null)));

/** An item as templates see it; one that is resolved has only what was reported. */
type Shown = Partial<AlertItem> &
  AlertMessage['resolved'][number] & { readonly ends: string; readonly action: string };

/** A test, or the short form of a message, as one item: a target that takes only items would get nothing. */
function itself(message: AlertMessage, nowMs: number): Shown {
  const { id, kind, at, severity, title, open } = message;
  const ofTest = kind === 'test';
  const ended = !isNews(message);
  const lastsMs = ofTest ? TEST_MS : open > 0 ? SHORT_MS : OVER_MS;
  return {
    ...{ id, check: ofTest ? 'test' : 'desk', severity: severity ?? 'low', title, since: at },
    ...{
      user: '',
      program: '',
      command: '',
      peer: '',
      benign: '',
      next: ofTest ? 'desk alert' : 'desk findings',
    },
    ends: ended ? at : new Date(nowMs + lastsMs).toISOString(),
    action: ended ? 'resolve' : 'trigger',
  };
}

/** Something to be seen: what is open, new (it may be over already), or a test. Else all that was reported has ended. */
export const isNews = ({ kind, open, severity }: AlertMessage): boolean =>
  open > 0 || kind === 'test' || severity !== null;

/** The value that is sent as JSON. */
export function bodyOf(
  message: AlertMessage,
  { template, each, escape: how, remindHours, nowMs }: TemplateParts,
): unknown {
  const words = (text: string): string => escaped(visible(text), how);
  // Without reminders nothing would make it longer.
  const later = new Date(nowMs + (remindHours || 365 * 24) * 2 * HOUR_MS).toISOString();
  const soon = new Date(nowMs + OVER_MS).toISOString();
  const shown: Shown[] = [
    ...message.opened.map((item) => ({
      ...item,
      title: item.over ? `${overText(item)}: ${item.title}` : item.title,
      ends: item.over ? soon : later,
      action: 'trigger',
    })),
    ...message.resolved.map((item) => ({ ...item, ends: message.at, action: 'resolve' })),
  ];
  if (shown.length === 0 && message.kind !== 'digest') shown.push(itself(message, nowMs));
  const itemOf = (item: Shown): unknown => {
    const plain: Fields = Object.fromEntries(
      ITEM_FIELDS.map((name) => [
        name,
        () => (name === 'host' ? message.host : words(String(item[name as keyof Shown] ?? ''))),
      ]),
    );
    return each === ''
      ? Object.fromEntries(ITEM_FIELDS.map((name) => [name, plain[name]?.()]))
      : fill(each, plain);
  };
  const fields: Fields = {
    ...{ id: () => message.id, kind: () => message.kind, at: () => message.at, host: () => message.host },
    severity: () => message.severity ?? 'none',
    title: () => words(message.title),
    // Its lines are structure of the desk; each was made visible before.
    text: () => escaped(message.text, how),
    ...{
      open: () => message.open,
      new: () => message.opened.length,
      resolved: () => message.resolved.length,
    },
    action: () => (isNews(message) ? 'trigger' : 'resolve'),
    ends: () => (message.open > 0 ? later : isNews(message) ? soon : message.at),
    priority: () => priorityOf(message),
    items: () => shown.map(itemOf),
  };
  if (template !== '') return fill(template, fields);
  return Object.fromEntries(MESSAGE_FIELDS.map((name) => [name, fields[name]?.()]));
}

const PRIORITIES = { low: 2, medium: 3, high: 4, critical: 5 } as const;

/** From 1 to 5, as ntfy counts (https://docs.ntfy.sh/publish/#message-priority). */
export const priorityOf = ({ kind, severity }: AlertMessage): number =>
  kind === 'test' || severity === null ? 3 : PRIORITIES[severity];
