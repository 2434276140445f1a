/** RFC 6750, section 3. */
export function bearerChallenge(parameters: Readonly<Record<string, string>> = {}): string {
  const list = Object.entries(parameters).map(([name, value]) => `${name}=${quoted(value)}`);
  return ['Bearer', list.join(', ')].filter((part) => part !== '').join(' ');
}

/** RFC 9110, section 5.6.4. Removes all but printable ASCII: Node refuses or mangles such headers. */
function quoted(value: string): string {
  return `"${value.replaceAll(/[^\x20-\x7e]/g, '').replaceAll(/["\\]/g, '\\$&')}"`;
}
