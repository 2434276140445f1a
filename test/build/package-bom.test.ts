import { expect } from 'chai';
import type { Bom, Component } from '../../build/release/bom.ts';
import { packageBom } from '../../build/release/package-bom.ts';

const TIME = new Date('2026-01-02T03:04:05Z');
const MANIFEST = {
  name: 'service',
  version: '1.0.0',
  dependencies: { a: '^1' },
  optionalDependencies: { b: '^1' },
};

/** `service` needs `a` (which needs `c`), optionally `b`, and to be built `tool` (which needs `c` and `d`). */
const LOCK: Bom & { readonly serialNumber: string } = {
  serialNumber: 'urn:uuid:5a1c5d7e-0f7f-4d5c-9a39-6b4c7d5f3e21',
  metadata: {
    timestamp: '2026-11-22T12:00:00.000Z',
    lifecycles: [{ phase: 'pre-build' }],
    tools: [{ vendor: 'npm', name: 'cli', version: '11.0.0' }],
    component: component('service', { name: 'folder' }),
  },
  components: [
    ...['a', 'b', 'c', 'tool'].map((name) => component(name)),
    component('d', {
      scope: 'optional',
      properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
    }),
  ],
  dependencies: [
    { ref: 'service@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0', 'tool@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['c@1.0.0'] },
    { ref: 'b@1.0.0', dependsOn: [] },
    { ref: 'c@1.0.0', dependsOn: [] },
    { ref: 'd@1.0.0', dependsOn: [] },
    { ref: 'tool@1.0.0', dependsOn: ['c@1.0.0', 'd@1.0.0'] },
  ],
};

function component(name: string, more: Partial<Component> = {}): Component {
  return { 'bom-ref': `${name}@1.0.0`, type: 'library', name, version: '1.0.0', ...more };
}

function refsOf({ components }: Bom): readonly string[] {
  return components.map((component) => component['bom-ref']);
}

describe('The contents of a package', () => {
  it('are what npm installs with it, without what only the build needs', () => {
    expect(refsOf(packageBom(LOCK, MANIFEST, [], TIME))).to.deep.equal(['a@1.0.0', 'b@1.0.0', 'c@1.0.0']);
  });

  it('include bundled packages, which are marked', () => {
    const bom = packageBom(LOCK, MANIFEST, ['d@1.0.0'], TIME);

    expect(bom.components.find(({ name }) => name === 'd')).to.deep.include({
      scope: 'required',
      properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    });
  });

  it('depend only on each other', () => {
    const { dependencies } = packageBom(LOCK, MANIFEST, [], TIME);

    expect(dependencies.map(({ ref }) => ref)).to.deep.equal([
      'service@1.0.0',
      'a@1.0.0',
      'b@1.0.0',
      'c@1.0.0',
    ]);
    expect(dependencies[0]?.dependsOn).to.deep.equal(['a@1.0.0', 'b@1.0.0']);
  });

  it('have the time of the commit, no random number and the name of the package', () => {
    const bom = packageBom(LOCK, MANIFEST, [], TIME);

    expect(bom.metadata.timestamp).to.equal('2026-01-02T03:04:05.000Z');
    expect(bom).to.not.have.property('serialNumber');
    expect(bom.metadata.component.name).to.equal('service');
  });

  it('are refused if a bundled package is not the one of the lock', () => {
    expect(() => packageBom(LOCK, MANIFEST, ['a@1.0.1'], TIME)).to.throw('a@1.0.1');
  });
});
