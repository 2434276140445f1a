import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';

/** Waits until what is read is as expected. */
export async function expectSoon<T>(read: () => T | Promise<T>, expected: T, what?: string): Promise<void> {
  const seen = await eventually(read, (value) => isDeepStrictEqual(value, expected));
  expect(seen, what).to.deep.equal(expected);
}
