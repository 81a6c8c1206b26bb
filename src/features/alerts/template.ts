/** Bodies of webhooks: JSON in which `{{name}}` is a value of the message. Pure. */
import { FIELD, ITEM_FIELDS, MESSAGE_FIELDS } from '../../config/alert-template.ts';
import type { AlertItem, AlertMessage } from './message.ts';
import { type Escape, escaped, visible } from './plain-words.ts';

const HOUR_MS = 3_600_000;
/** How long the alert of a test lasts there. */
const TEST_MS = 5 * 60_000;
/** How long that of a short form does: no later message has its id. */
const SHORT_MS = 24 * HOUR_MS;

export interface TemplateParts {
  /** JSON with fields in double braces; "" is the message itself. */
  readonly template: string;
  /** The same for each of `{{items}}`; "" is the item itself. */
  readonly each: string;
  readonly escape: Escape;
  /** Hours between two reminders. */
  readonly remindHours: number;
}

type Fields = Readonly<Record<string, () => unknown>>;

const fill = (template: string, fields: Fields): unknown =>
  JSON.parse(template.replace(FIELD, (_, name: string) => JSON.stringify(fields[name]?.() ?? null)));

/** An item as templates see it; one that is resolved has only what was reported. */
type Shown = Partial<AlertItem> &
  AlertMessage['resolved'][number] & { readonly ends: string; readonly action: string };

/** A test, or the short form of a message, as one item: a target that takes only items would get nothing. */
function itself({ id, kind, at, open, severity, title }: AlertMessage): Shown {
  const ofTest = kind === 'test';
  const over = !ofTest && open === 0;
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
    ends: over ? at : new Date(Date.parse(at) + (ofTest ? TEST_MS : SHORT_MS)).toISOString(),
    action: over ? 'resolve' : 'trigger',
  };
}

/** The value that is sent as JSON. */
export function bodyOf(
  message: AlertMessage,
  { template, each, escape: how, remindHours }: TemplateParts,
): unknown {
  const words = (text: string): string => escaped(visible(text), how);
  const atMs = Date.parse(message.at);
  // Without reminders nothing would make it longer.
  const later = new Date(atMs + (remindHours || 365 * 24) * 2 * HOUR_MS).toISOString();
  const shown: Shown[] = [
    ...message.opened.map((item) => ({
      ...item,
      ends: item.over ? message.at : later,
      action: item.over ? 'resolve' : 'trigger',
    })),
    ...message.resolved.map((item) => ({ ...item, ends: message.at, action: 'resolve' })),
  ];
  if (shown.length === 0 && message.kind !== 'digest') shown.push(itself(message));
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
    action: () => (message.open > 0 || message.kind === 'test' ? 'trigger' : 'resolve'),
    ends: () => (message.open > 0 ? later : message.at),
    priority: () => priorityOf(message),
    items: () => shown.map(itemOf),
  };
  if (template !== '') return fill(template, fields);
  return Object.fromEntries(MESSAGE_FIELDS.map((name) => [name, fields[name]?.()]));
}

const PRIORITIES = { low: 2, medium: 3, high: 4, critical: 5 } as const;

/** From 1 to 5, as ntfy counts (https://docs.ntfy.sh/publish/#message-priority). */
export const priorityOf = ({ kind, severity, open }: AlertMessage): number =>
  kind === 'test' || severity === null || (open === 0 && kind === 'resolved') ? 3 : PRIORITIES[severity];
