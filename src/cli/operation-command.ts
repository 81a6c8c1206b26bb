/** The commands of operations, made from their declarations. */
import { z } from 'zod';
import { faultText } from '../operations/input.ts';
import type { AnyOperation } from '../operations/operation.ts';
import type { Command, Input } from './command.ts';
import { exit, Failure } from './failure.ts';

export const commandsOf = (operations: readonly AnyOperation[]): Command[] =>
  operations.flatMap((operation) => commandOf(operation) ?? []);

interface FieldShape {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a field of the input takes. */
const shapeOf = (field: z.ZodType): FieldShape => z.toJSONSchema(field, { io: 'input' }) as FieldShape;

/** Commander names the value of `--older-than <age>` `olderThan`. */
const keyOf = (flags: string): string =>
  (/--([a-z-]+)/.exec(flags)?.[1] ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The value of a field as it was typed. @throws Failure `usage` when the field does not take it. */
function fieldValue(field: z.ZodType, typed: string | boolean, name: string): unknown {
  const { type, minimum = 0, maximum } = shapeOf(field);
  const numeric = type === 'integer' || type === 'number';
  const value =
    numeric && typeof typed === 'string' && /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed;
  const result = field.safeParse(value, { reportInput: true });
  if (result.success) return value;
  const whole = `expected a whole number${maximum === undefined ? '' : ` from ${minimum} to ${maximum}`}`;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  throw new Failure(
    exit.usage,
    `${name} ${String(typed)}: ${type === 'integer' ? whole : faultText(issue)}.`,
    '',
    '',
  );
}

function commandOf(operation: AnyOperation): Command | null {
  const { command, input, summary, local } = operation;
  if (command === undefined) return null;
  const fieldOf = (name: string): z.ZodType => input.shape[name] as z.ZodType;
  /** Meaning and choices of the field, where the declaration leaves them out. */
  const described = (one: { field?: string; meaning?: string; choices?: readonly string[] }) => {
    const field = one.field === undefined ? undefined : fieldOf(one.field);
    const choices = one.choices ?? (field && shapeOf(field).enum);
    return { meaning: one.meaning ?? field?.description ?? '', ...(choices && { choices }) };
  };
  const given = [
    ...(command.arguments ?? []).map(({ name, field }) => ({
      of: 'arguments' as const,
      key: name,
      name,
      field,
    })),
    ...(command.options ?? []).map(({ flags, field }) => ({
      of: 'options' as const,
      key: keyOf(flags),
      name: flags.split(' ')[0] as string,
      field,
    })),
  ];
  const inputOf = (typed: Input): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      given.flatMap(({ of, key, name, field }) => {
        const value = typed[of][key];
        return field === undefined || value === undefined
          ? []
          : [[field, fieldValue(fieldOf(field), value, name)]];
      }),
    );
  return {
    name: command.name,
    summary: command.summary ?? summary,
    arguments: (command.arguments ?? []).map((one) => ({ ...one, ...described(one) })),
    options: (command.options ?? []).map((one) => ({ ...one, ...described(one) })),
    local,
    examples: command.examples,
    async run({ out, json, withSource }, typed) {
      const asked = inputOf(typed) as never;
      const record = (await withSource(
        (source) => source.ask(operation, asked),
        command.timeoutMs === undefined ? {} : { timeoutMs: command.timeoutMs },
      )) as never;
      if (json) out.json(record);
      else command.print(out, record, asked);
      return command.isWell?.(record) === false ? exit.findings : exit.ok;
    },
  };
}
