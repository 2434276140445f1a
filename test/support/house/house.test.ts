import { expect } from 'chai';
import { floorsOf } from './floors.ts';
import { cyclesIn, type Graph } from './graph.ts';
import { parseSource } from './source-files.ts';

describe('The measure of the house', () => {
  it('reads imports of types and of values, exports, and lines of code', () => {
    const source = `/** A key. */
import { join } from 'node:path';
import type {
  A,
} from '../a.ts';
import './b.ts';
export { C } from './c.ts';

export const KEY = async () => import('./d.ts');
export async function read(): Promise<void> {}
export interface Read {}
`;

    expect(parseSource('/x/y/file.ts', source)).to.deep.equal({
      path: '/x/y/file.ts',
      codeLines: 9,
      imports: ['/x/a.ts', '/x/y/b.ts', '/x/y/c.ts', '/x/y/d.ts'],
      exportedValues: ['KEY', 'read'],
      exportedTypes: ['Read'],
    });
  });

  it('finds cycles', () => {
    expect(cyclesIn(graph({ a: 'b', b: 'cd', c: 'a', d: 'e', e: '' }))).to.deep.equal([['a', 'b', 'c']]);
  });

  it('counts the floors of the order with the fewest arrows up', () => {
    const house = graph({ a: 'bc', b: 'de', c: 'd', d: 'e', e: 'b', f: 'e' });

    expect(floorsOf(house)).to.deep.equal({ floors: 4, arrowsUp: ['e → b'] });
  });
});

function graph(edges: Readonly<Record<string, string>>): Graph {
  return new Map(Object.entries(edges).map(([node, others]) => [node, new Set(others)]));
}
