import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const RULES = join(PROJECT_FOLDER, 'deploy/prometheus/rules.yml');
const RULE_TESTS = join(PROJECT_FOLDER, 'deploy/prometheus/rules.test.yml');

/** Each with the name of a unit that it makes. */
const UNITS = [
  ['image-catalog.service', 'image-catalog.service'],
  ['image-catalog@.service', 'image-catalog@9464.service'],
] as const;

/** The maximum exposure of `systemd-analyze security`, in tenths; a service that listens and compiles needs 13. */
const LARGEST_EXPOSURE = 15;

/** Of prlimit, which freezes decoders, and of setpriv, by which they end with the service. */
const CALLS_FOR_DECODERS = ['prlimit64', 'prctl', 'capset', 'kill', 'setsid'];

/** On the memory of another process of their user. */
const CALLS_BY_WHICH_DECODERS_ATTACK = ['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd'];

/** Of lines of `SystemCallFilter`, the first of which allows calls. A later line with `~` forbids. */
function systemCallsOf(filters: readonly string[]): ReadonlySet<string> {
  const allowed = new Set<string>();
  for (const filter of filters) {
    for (const call of filter.replace('~', '').split(' ').flatMap(membersOf)) {
      if (filter.startsWith('~')) allowed.delete(call);
      else allowed.add(call);
    }
  }
  return new Set([...allowed, ...membersOf('@default')]);
}

/** A call, or all calls of a group and of the groups in it. */
function membersOf(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name];
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' });
  return allOf(stdout, /^ {4}([@\w]+)$/gm).flatMap(membersOf);
}

/** The only group of every match. */
function allOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

for (const [file, instance] of UNITS) {
  describe(`deploy/${file}, as systemd sees it,`, () => {
    let folder: TemporaryFolder;
    let text: string;
    let unit: string;

    before(async function () {
      if (!isInstalled('systemd-analyze')) skipAloud(this, 'systemd-analyze is not installed');
      text = await readFile(join(PROJECT_FOLDER, 'deploy', file), 'utf8');
      folder = await temporaryFolder();
      unit = join(folder.path, instance);
      // Exists on the target machine only.
      const here = text
        .replace('/usr/bin/node', process.execPath)
        .replace('/opt/image-catalog/', PROJECT_FOLDER);
      await writeFile(unit, here);
    });

    after(() => folder?.remove());

    it('is a valid unit', () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
        encoding: 'utf8',
      });
      // Ignores complaints about other units of the machine.
      expect(stderr.split('\n').filter((line) => line.includes('image-catalog'))).to.deep.equal([]);
      expect(status).to.equal(0);
    });

    it('allows the system calls that confine decoders, and none on the memory of other processes', () => {
      const allowed = [...systemCallsOf(allOf(text, /^SystemCallFilter=(.+)$/gm))];

      expect(allowed).to.include.members(CALLS_FOR_DECODERS);
      for (const call of CALLS_BY_WHICH_DECODERS_ATTACK) expect(allowed).to.not.include(call);
    });

    it('grants the service few privileges', () => {
      const options = ['security', '--offline=yes', '--no-pager', `--threshold=${LARGEST_EXPOSURE}`, unit];
      const { status, stdout } = spawnSync('systemd-analyze', options, { encoding: 'utf8' });
      expect(status, stdout).to.equal(0);
    });
  });
}

describe('deploy/prometheus/rules.yml, as Prometheus sees it,', () => {
  before(function () {
    if (!isInstalled('promtool')) skipAloud(this, 'promtool is not installed');
  });

  for (const [what, args] of [
    ['is valid', ['check', 'rules', RULES]],
    ['passes its unit tests', ['test', 'rules', RULE_TESTS]],
  ] as const) {
    it(what, () => {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).to.equal(0);
    });
  }
});
