import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * The schema that clients see, which accepts every value. The library reports what its own check refuses in the words of a validator; a
 * tool checks its arguments itself, and says what is wrong in a sentence.
 */
export function describedArguments(input: z.ZodRawShape): StandardSchemaWithJSON {
  const { $schema: _, ...schema }: Record<string, unknown> = z.toJSONSchema(z.strictObject(input), {
    io: 'input',
  });
  const jsonSchema = { input: () => schema, output: () => schema };
  const validate = (value: unknown): { value: unknown } => ({ value });
  return { '~standard': { version: 1, vendor: 'image-catalog', validate, jsonSchema } };
}

/** @throws {Error} with a sentence about the first argument that is wrong */
export function parseArguments<Shape extends z.ZodRawShape>(
  input: Shape,
  given: unknown,
): z.output<z.ZodObject<Shape>> {
  const result = z.strictObject(input).safeParse(given ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(
    `${sentenceAbout(issue, input)} Nothing was done: call the tool again with other arguments`,
  );
}

function sentenceAbout(issue: z.core.$ZodIssue | undefined, input: z.ZodRawShape): string {
  if (issue?.code === 'unrecognized_keys') {
    const known = Object.keys(input).join(', ');
    return `The argument ${quote(issue.keys[0] ?? '')} is not known; this tool has ${known}.`;
  }
  const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : String(step)));
  return `The argument ${quote(path.join(''))} must be ${issue === undefined ? 'well-formed' : ruleOf(issue)}.`;
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? `of the type ${issue.expected}`;
    case 'too_small':
      return sizeRule('at least', issue.minimum, issue.origin);
    case 'too_big':
      return sizeRule('at most', issue.maximum, issue.origin);
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'well-formed';
    default:
      return 'another value';
  }
}

function sizeRule(bound: string, size: number | bigint, origin: string): string {
  if (origin === 'array') return `an array of ${bound} ${size} ${size === 1 ? 'item' : 'items'}`;
  if (origin === 'string') return `a text of ${bound} ${size} ${size === 1 ? 'character' : 'characters'}`;
  return `${bound} ${size}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array, such as ["one", "two"]',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an RFC 3339 time such as 2026-01-31T12:00:00Z',
  base64: 'base64',
  safeint: 'a whole number',
  // Only the tags of a search have a pattern.
  regex: 'a text without a comma',
};

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
