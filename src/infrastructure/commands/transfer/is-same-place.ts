import { isDeepStrictEqual } from 'node:util';

interface Place {
  identity(): Promise<string | undefined>;
}

/** Two spellings, or a link, may lead to one place. */
export async function isSamePlace(one: Place, other: Place): Promise<boolean> {
  if (isDeepStrictEqual(one, other)) return true;
  const [first, second] = await Promise.all([one.identity(), other.identity()]);
  return first !== undefined && first === second;
}
