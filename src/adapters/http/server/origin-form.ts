/** RFC 9112, section 3.2.1; a fragment is never sent. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
const ABSOLUTE_FORM = /^https?:\/\//i;

/**
 * `undefined` for an unsupported target (RFC 9112, section 3.2). Reading `ctx.path` throws for some (`http://[`); in an
 * event listener that ends the process.
 */
export function originForm(target: string): string | undefined {
  if (target === '*' || ORIGIN_FORM.test(target)) return target;
  if (!ABSOLUTE_FORM.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
}
