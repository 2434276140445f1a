import { isId } from '../link/signed-link.ts';
import { type Name, type NamedImage, parseName } from './name.ts';

type PublicAddress = Pick<NamedImage, 'number' | 'name'>;

/** The path of a public name has no slash at its beginning. It stays as long as the name is not forgotten. */
export function publicPath({ number, name }: PublicAddress): string {
  return `p/${number}/${name}`;
}

/** `undefined` for a spelling that no address has. */
export function parsePublicAddress(number: string, text: string): PublicAddress | undefined {
  const name: Name | undefined = parseName(text);
  return name === undefined || !isId(number) ? undefined : { number: Number(number), name };
}
