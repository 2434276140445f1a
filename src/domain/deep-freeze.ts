/** Loops instead of recursing, because JSON may be nested more deeply than calls can be. */
export function deepFreeze<T extends object>(value: T): T {
  const pending: object[] = [value];
  for (const object of pending) {
    for (const member of Object.values(Object.freeze(object)) as unknown[]) {
      if (typeof member === 'object' && member !== null) pending.push(member);
    }
  }
  return value;
}
