import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import type { ServiceFile } from './service-file.ts';

const UNIT = 'image-catalog.service';
const HOMES = /^\/(?:home|root|run\/user)\//;

/** As deploy/image-catalog.service, with the paths of this installation. */
export function systemdFile(folder: string): ServiceFile {
  const program = join(packageFolder(), 'bin/image-catalog.cjs');
  const replacements: ReadonlyArray<readonly [RegExp, string]> = [
    [
      /^(?:#.*\n)+/,
      `# Made by image-catalog init. The user image-catalog must be able to read ${packageFolder()}.\n`,
    ],
    [/^Documentation=.*$/m, `Documentation=file://${escaped(join(packageFolder(), 'docs/operations.md'))}`],
    [/^EnvironmentFile=.*$/m, `EnvironmentFile=${escaped(join(folder, '.env'))}`],
    [/^ExecStart=.*$/m, `ExecStart="${escaped(process.execPath)}" "${escaped(program)}" serve`],
    ...(HOMES.test(program) ? [[/^ProtectHome=true$/m, 'ProtectHome=read-only'] as const] : []),
  ];
  const unit = readFileSync(join(packageFolder(), 'deploy', UNIT), 'utf8');
  return {
    name: UNIT,
    text: replacements.reduce((text, [pattern, line]) => text.replace(pattern, () => line), unit),
    next: [
      'sudo useradd --system --home-dir /var/lib/image-catalog --shell /usr/sbin/nologin image-catalog',
      `sudo cp ${UNIT} /etc/systemd/system/ && sudo systemctl enable --now image-catalog`,
    ],
  };
}

/** `%` begins a specifier of systemd. */
function escaped(path: string): string {
  return path.replaceAll('%', '%%');
}
