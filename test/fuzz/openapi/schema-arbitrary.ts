import * as fc from 'fast-check';
import type { RequestSchema } from '../../support/openapi/request-schema.ts';

/** Above it, requests would become slow without showing more. */
const MAX_ITEMS = 8;

/** Values that the schema allows. */
export function valuesOf(schema: RequestSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) throw new TypeError(`No type: ${JSON.stringify(schema)}`);
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)));
}

function valuesOfType(type: string, schema: RequestSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case 'string':
      return textsOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? { type: 'string' }), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, Math.max(MAX_ITEMS, schema.minItems ?? 0)),
      });
    case 'object':
      return objectsOf(schema);
    default:
      throw new TypeError(`The type ${type} is not known`);
  }
}

export function textsOf({
  format,
  pattern,
  examples,
  minLength = 0,
  maxLength = 40,
}: RequestSchema): fc.Arbitrary<string> {
  const shown =
    examples === undefined || examples.length === 0 ? [] : [fc.constantFrom(...examples.map(String))];
  if (format === 'date-time') {
    const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    return fc.oneof(
      times.map((time) => time.toISOString()),
      ...shown,
    );
  }
  if (pattern !== undefined) return fc.oneof(fc.stringMatching(new RegExp(pattern)), ...shown);
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40), unit: 'grapheme' }),
    ...shown,
  );
}

function objectsOf({ properties = {}, required = [] }: RequestSchema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, valuesOf(inner)]),
  );
  return fc.record(fields, { requiredKeys: [...required] });
}
