import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LibraryVersions } from '../adapters/decoder/decoder-process.ts';
import { packageFolder } from './package-folder.ts';

/** The versions of sharp and its libraries, as a decoder reports them: from the installed packages, without loading one. */
export function libraryVersions(): LibraryVersions {
  const path = join(packageFolder(createRequire(import.meta.url).resolve('sharp')), 'package.json');
  const { version, optionalDependencies } = JSON.parse(readFileSync(path, 'utf8')) as SharpPackage;
  const require = createRequire(path);
  const binaries = new RegExp(`-${process.platform}(?:musl)?-${process.arch}$`);
  for (const name of Object.keys(optionalDependencies).filter((each) => binaries.test(each))) {
    try {
      return { ...(require(`${name}/versions`) as LibraryVersions), sharp: version };
    } catch {
      // It is not installed, or has no libraries.
    }
  }
  // The libraries are those of the system: the decoder alone knows their versions.
  return { sharp: version };
}

interface SharpPackage {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
