import { expect } from 'chai';
import type { Component } from '../../build/release/bom.ts';
import { refusedLicenses } from '../../build/release/licenses.ts';

function component(name: string, licenses?: Component['licenses']): Component {
  const base = { 'bom-ref': `${name}@1.0.0`, type: 'library', name, version: '1.0.0' };
  return licenses === undefined ? base : { ...base, licenses };
}

describe('Licenses of a release', () => {
  it('may be permissive', () => {
    const components = [
      component('a', [{ license: { id: 'MIT' } }]),
      component('b', [{ expression: '(MIT OR WTFPL)' }]),
    ];

    expect(refusedLicenses(components)).to.deep.equal([]);
  });

  it('are refused if they are unknown', () => {
    const components = [component('a'), component('b', [{ license: { name: 'see LICENSE' } }])];

    expect(refusedLicenses(components)).to.deep.equal(['a@1.0.0: unknown', 'b@1.0.0: see LICENSE']);
  });

  it('are refused if one of two that both apply is not permissive', () => {
    const components = [
      component('a', [{ expression: 'MIT AND GPL-3.0-only' }]),
      component('b', [{ license: { id: 'MIT' } }, { license: { id: 'GPL-3.0-only' } }]),
    ];

    expect(refusedLicenses(components)).to.have.length(2);
  });

  it('may be the LGPL for libvips, and for no other package', () => {
    const lgpl = [{ license: { id: 'LGPL-3.0-or-later' } }];
    const components = [component('@img/sharp-libvips-linux-x64', lgpl), component('@img/sharp', lgpl)];

    expect(refusedLicenses(components)).to.deep.equal(['@img/sharp@1.0.0: LGPL-3.0-or-later']);
  });
});
