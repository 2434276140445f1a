export function kidOf(key: unknown): string | undefined {
  const { kid } = (key ?? {}) as { readonly kid?: unknown };
  return typeof kid === 'string' ? kid : undefined;
}
