import { expect } from 'chai';
import { checkNode } from '../../../src/infrastructure/doctor/check-node.ts';
import { holesOf, NODE_HOLES } from '../../../src/infrastructure/node-holes.ts';
import { warnOfNodeHoles } from '../../../src/infrastructure/start/start-service.ts';
import { CapturedLog, WARN } from '../../support/doubles/captured-log.ts';

const MARCH = ['CVE-2026-21710', 'CVE-2026-21717'];

const CASES: ReadonlyArray<
  readonly [version: string, cves: readonly string[], upgradeTo: readonly string[]]
> = [
  ['v20.19.0', [...MARCH, 'CVE-2025-23167'], ['20.20.2', '20.20.2', '20.19.2']],
  ['v20.19.2', MARCH, ['20.20.2', '20.20.2']],
  ['v20.20.1', MARCH, ['20.20.2', '20.20.2']],
  ['v20.20.2', [], []],
  ['v21.7.3', MARCH, ['22.22.2', '22.22.2']],
  ['v22.9.0', MARCH, ['22.22.2', '22.22.2']],
  ['v22.22.2', [], []],
  ['v22.23.0', [], []],
  ['v23.11.1', MARCH, ['24.14.1', '24.14.1']],
  ['v24.14.1', [], []],
  ['v25.8.2-nightly', [], []],
  ['v26.0.0', [], []],
];

describe('The known security holes of Node.js', () => {
  for (const [version, cves, upgradeTo] of CASES) {
    it(`are ${cves.length} in ${version}`, () => {
      const holes = holesOf(version);
      expect(holes.map(({ cve }) => cve)).to.deep.equal(cves);
      expect(holes.map((hole) => hole.upgradeTo)).to.deep.equal(upgradeTo);
    });
  }

  it('are named by the log and by doctor, with what to do', () => {
    const log = new CapturedLog();
    warnOfNodeHoles('v20.20.1', log.logger);
    expect(log.atLeast(WARN).map(({ cve, upgradeTo }) => [cve, upgradeTo])).to.deep.equal(
      MARCH.map((cve) => [cve, '20.20.2']),
    );

    const results = checkNode('v20.20.1');
    expect(results.map(({ level }) => level)).to.deep.equal(['warning', 'warning']);
    expect(results[0]?.text).to.match(/v20\.20\.1 has CVE-2026-21710: a header named __proto__/);
    expect(results[0]?.change).to.match(/20\.20\.2 or later/);
  });

  it('are not warned of in a version without them', () => {
    const log = new CapturedLog();
    warnOfNodeHoles('v20.20.2', log.logger);
    expect(log.entries).to.deep.equal([]);
    expect(checkNode('v20.20.2').map(({ level }) => level)).to.deep.equal(['ok']);
  });

  it('name a fix in the line that they say it is in', () => {
    for (const { fixedIn } of NODE_HOLES) {
      for (const [line, fix] of Object.entries(fixedIn)) {
        if (fix !== undefined) expect(fix.split('.')[0]).to.equal(line);
      }
    }
  });
});
