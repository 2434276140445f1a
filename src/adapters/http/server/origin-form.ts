/** RFC 9112, section 3.2.1; a fragment is never sent. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*(?<rest>.*)$/i;

/**
 * The path and the query as the client has spelled them. `undefined` for an unsupported target (RFC 9112, section 3.2):
 * reading `ctx.path` throws for some (`http://[`); in an event listener that ends the process.
 */
export function originForm(target: string): string | undefined {
  if (target === '*' || ORIGIN_FORM.test(target)) return target;
  const rest = ABSOLUTE_FORM.exec(target)?.groups?.['rest'];
  if (rest === undefined || !URL.canParse(target)) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return ORIGIN_FORM.test(path) ? path : undefined;
}
