import { spawnSync } from 'node:child_process';

/** A program that executes another one as a user who may not write where the mode of a folder forbids it. Root may write everywhere. */
export const WITHOUT_POWERS: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'] : [];

export const OTHER_USER = 65_533;

/**
 * A program that executes another one as a user who is not root, if the tests run as root. That user may still enter the folder of the
 * project.
 */
export function asUser(user: number): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  return [
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_read_search',
    '--ambient-caps=-all,+dac_read_search',
    // access(2) would drop the capability.
    '--securebits=+no_setuid_fixup',
  ];
}

export const AS_ANOTHER_USER: readonly string[] = asUser(OTHER_USER);

export function canBecomeAnotherUser(): boolean {
  const [setpriv, ...args] = AS_ANOTHER_USER;
  return setpriv === undefined || spawnSync(setpriv, [...args, 'true']).status === 0;
}
