import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Collects the schemas that have an `id`, for `components.schemas`. */
export class JsonSchemas {
  readonly named: Record<string, JsonSchema> = {};

  /**
   * @param io what a request may contain, or what a response contains: objects of these stay open, because fields may be added later
   */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema as JsonSchema, io),
    });
    for (const [name, definition] of Object.entries($defs)) {
      this.named[name] = withMovedReferences(definition);
    }
    return withMovedReferences(converted);
  }
}

function simplify(schema: z.core.$ZodType, json: JsonSchema, io: 'input' | 'output'): void {
  const { wire, description } = z.globalRegistry.get(schema) ?? {};
  if (wire !== undefined) {
    for (const key of Object.keys(json)) delete json[key];
    Object.assign(json, { ...(description === undefined ? {} : { description }), ...wire });
  }
  if (io === 'output' && typeof json['additionalProperties'] === 'boolean') {
    delete json['additionalProperties'];
  }
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  // A format says it already; zod's patterns of times have several hundred characters.
  if (json['format'] === 'date-time') delete json['pattern'];
}

function withMovedReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

declare module 'zod' {
  interface GlobalMeta {
    /** The JSON Schema of the text that a client sends. */
    readonly wire?: Readonly<Record<string, unknown>>;
    /** A query parameter with several values, separated by commas. Set only together with `wire`, which hides it. */
    readonly isList?: boolean;
  }
}
