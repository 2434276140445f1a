/** In which the service counts days and months: `CATALOG_TIMEZONE`, from `openapi.json` of the web listener. */
export async function loadTimeZone(signal: AbortSignal): Promise<string> {
  const response = await fetch('./openapi.json', { signal });
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  const { info } = (await response.json()) as { readonly info: { readonly 'x-time-zone'?: string } };
  return info['x-time-zone'] ?? 'UTC';
}
