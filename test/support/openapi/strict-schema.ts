/** The schema with every object closed: the document leaves objects open, because fields may be added later. */
export function strictSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strictSchema(value)]));
  const isOpenObject =
    closed['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);
  return isOpenObject ? { ...closed, unevaluatedProperties: false } : closed;
}
