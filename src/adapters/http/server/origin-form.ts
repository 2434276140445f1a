/** RFC 9112, section 3.2.1: visible ASCII; a fragment is never sent. */
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;
const ABSOLUTE_FORM = /^https?:\/\//i;

/**
 * The path and the query of a request target in any form that a server takes (RFC 9112, section 3.2); `undefined` for
 * others, which must not come near the application: what Koa parses them with throws at some of them (`http://[`), in
 * every look at the path, and so ends the process where that is in an event's listener.
 */
export function originForm(target: string): string | undefined {
  if (target === '*' || ORIGIN_FORM.test(target)) return target;
  if (!ABSOLUTE_FORM.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
}
