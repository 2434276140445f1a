/** RFC 9112, section 3.2.1: visible ASCII; a fragment is never sent. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
const ABSOLUTE_FORM = /^https?:\/\//i;

/**
 * The path and the query of a request target (RFC 9112, section 3.2); `undefined` for an unsupported target. Koa must not see
 * such a target: reading `ctx.path` throws for some of them (`http://[`), and in an event listener that ends the process.
 */
export function originForm(target: string): string | undefined {
  if (target === '*' || ORIGIN_FORM.test(target)) return target;
  if (!ABSOLUTE_FORM.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
}
