/** The commands of operations, made from their declarations. */
import { Option } from 'commander';
import { z } from 'zod';
import { usage } from '../desk/failure.ts';
import { faultText } from '../desk/input.ts';
import type { AnyOperation } from '../desk/operation.ts';
import type { CliCommand } from './command.ts';

export const commandsOf = (operations: readonly AnyOperation[]): CliCommand[] =>
  operations.flatMap((operation) => commandOf(operation) ?? []);

interface FieldShape {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

const shapeOf = (field: z.ZodType): FieldShape => z.toJSONSchema(field, { io: 'input' }) as FieldShape;

/** The value of a field as it was typed. @throws Failure `usage` when the field does not take it. */
function fieldValue(field: z.ZodType, typed: string | boolean, name: string): unknown {
  const { type, minimum = 0, maximum } = shapeOf(field);
  const numeric = type === 'integer' || type === 'number';
  const value =
    numeric && typeof typed === 'string' && /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed;
  const result = field.safeParse(value, { reportInput: true });
  if (result.success) return value;
  const whole = `expected a whole number${maximum === undefined ? '' : ` from ${minimum} to ${maximum}`}`;
  const fault = type === 'integer' ? whole : faultText(result.error.issues[0] as z.core.$ZodIssue);
  throw usage(`${name} ${String(typed)}: ${fault}.`);
}

function commandOf(operation: AnyOperation): CliCommand | null {
  const { command, input, summary, local } = operation;
  if (command === undefined) return null;
  /** With meaning and choices of the field, where the declaration leaves them out. */
  const described = <T extends { field?: string; meaning?: string; choices?: readonly string[] }>(one: T) => {
    const field = one.field === undefined ? undefined : input.shape[one.field];
    const choices = one.choices ?? (field && shapeOf(field).enum);
    return { ...one, meaning: one.meaning ?? field?.description ?? '', ...(choices && { choices }) };
  };
  const args = (command.arguments ?? []).map(described);
  const options = (command.options ?? []).map(described);
  return {
    name: command.name,
    summary: command.summary ?? summary,
    arguments: args,
    options,
    local,
    examples: command.examples,
    async run({ answer, withSource }, given) {
      const typed = [
        ...args.map(({ name, field }) => ({ name, field, value: given.arguments[name] })),
        ...options.map(({ flags, field }) => ({
          name: flags.split(' ')[0] as string,
          field,
          value: given.options[new Option(flags).attributeName()],
        })),
      ];
      const asked = Object.fromEntries(
        typed.flatMap(({ name, field, value }) =>
          field === undefined || value === undefined
            ? []
            : [[field, fieldValue(input.shape[field] as z.ZodType, value, name)]],
        ),
      ) as never;
      const { timeoutMs } = command;
      const record = await withSource(
        (source) => source.ask(operation, asked) as Promise<never>,
        timeoutMs === undefined ? {} : { timeoutMs },
      );
      return answer(record, (out) => command.print(out, record, asked), command.isWell?.(record) ?? true);
    },
  };
}
