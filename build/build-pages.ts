import { join, relative } from 'node:path';
import { build, type Plugin } from 'vite';
import { compressFiles } from './compress-files.ts';

/**
 * The gallery and the API reference, with compressed variants beside the files.
 *
 * Returns the files that they are made of, relative to the project.
 */
export async function buildPages(project: string): Promise<readonly string[]> {
  const modules = new Set<string>();
  await build({
    root: join(project, 'web'),
    configFile: join(project, 'web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [noteModules(modules)],
  });
  await compressFiles(join(project, 'dist/web'));
  return [...modules].map((path) => relative(project, path));
}

function noteModules(modules: Set<string>): Plugin {
  return {
    name: 'note-modules',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        for (const id of output.moduleIds) modules.add(withoutQuery(id));
      }
    },
  };
}

/** Helpers of Vite begin with a NUL and are of no file. */
function withoutQuery(id: string): string {
  return id.replace(/\0/g, '').replace(/\?.*$/, '');
}
