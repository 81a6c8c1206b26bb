/** Templates of webhooks: JSON in which `{{name}}` is a value. Pure. */

export const FIELD = /\{\{\s*([a-z_]+)\s*\}\}/g;

/** Fields of `template`, and of `each`. */
export const MESSAGE_FIELDS = [
  'id',
  'kind',
  'at',
  'host',
  'severity',
  'title',
  'text',
  'open',
  'new',
  'resolved',
  'action',
  'ends',
  'priority',
  'items',
] as const;
export const ITEM_FIELDS = [
  'id',
  'severity',
  'check',
  'title',
  'user',
  'program',
  'command',
  'peer',
  'benign',
  'next',
  'since',
  'ends',
  'action',
  'accepted',
  'host',
] as const;

/** Why a template cannot be used, a phrase; "" when it can. */
export function templateFault(template: string, fields: readonly string[]): string {
  if (template === '') return '';
  for (const [, name = ''] of template.matchAll(FIELD))
    if (!fields.includes(name))
      return `has {{${name}}}, which is not a field; expected one of ${fields.join(', ')}`;
  try {
    // Each field must be a whole JSON value: a text value breaks a field within quotes, a number breaks one used as a member name.
    for (const value of ['"text"', '0']) JSON.parse(template.replace(FIELD, value));
  } catch {
    return 'is not JSON once its fields are filled in: write a field without quotes around it, as {"text": {{text}}}';
  }
  return '';
}
