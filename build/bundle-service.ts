import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { REQUIRE_BANNER } from './require-banner.ts';

/** Loaded from node_modules: native parts, and CommonJS packages that are imported dynamically (see `requireImportable`). */
const EXTERNAL = ['sharp', 'sqlite3', '@aws-sdk/*'];

/** Knex and pg can load them, but the service never asks them to. */
const NOT_INSTALLED = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'tedious',
];

const KOA = /\/koa\/lib\/(?:application|response)\.js$/;

/**
 * Koa looks whether a body is one of these. Node.js then loads undici, which takes 20 ms of the first request. No handler has such a
 * body.
 */
const NO_WEB_BODIES = 'class Blob {} class ReadableStream {} class Response {}';

/**
 * Frames of packages in a stack name the file, but not the line. The first stack reads the map: with the lines of packages that
 * would take 180 ms, without them it takes 30.
 */
const packagesWithoutLines: Plugin = {
  name: 'packages-without-lines',
  setup(bundler) {
    bundler.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path }) => {
      const code = `${await readFile(path, 'utf8')}\n${KOA.test(path) ? NO_WEB_BODIES : ''}`;
      const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: 'AAAA' });
      const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
      return { contents: `${code}\n${comment}`, loader: 'js' };
    });
  },
};

/**
 * By `require`: an `import` reads every export of a module of Node.js, also the lazy ones. For `node:http` that loads undici, which
 * takes 40 ms, and for `node:crypto` WebCrypto.
 */
const nodeModulesByRequire: Plugin = {
  name: 'node-modules-by-require',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'node' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

/** As text: an object literal of this size takes ten times as long to compile as to parse. */
const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup(bundler) {
    bundler.onLoad({ filter: /\/node_modules\/.*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)})`, loader: 'js' };
    });
  },
};

/** Objection checks models by them, but not ours (`RowModel`). */
const withoutAjv: Plugin = {
  name: 'without-ajv',
  setup(bundler) {
    bundler.onResolve({ filter: /^ajv(-formats)?$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: '' }));
  },
};

/** Optional dependencies. prom-client has the API of OpenTelemetry as well, and keeps it in the bundle. */
const tracingFromNodeModules: Plugin = {
  name: 'tracing-from-node-modules',
  setup(bundler) {
    bundler.onResolve({ filter: /^@opentelemetry\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** The list that koa has. */
function mediaTypesOf(project: string): string {
  const koa = createRequire(join(project, 'package.json')).resolve('koa');
  return createRequire(koa).resolve('mime-db');
}

/** A bundle of its own: chunks that it shares with the service would make more files of a start. */
const DEMO = 'demo/run-demo.ts';

const demoFromItsBundle: Plugin = {
  name: 'demo-from-its-bundle',
  setup(bundler) {
    bundler.onResolve({ filter: /\/demo\/run-demo\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './demo.js', external: true } : undefined,
    );
  },
};

/** In a chunk, a CommonJS module has only a default export: `const { name } = await import(…)` would be undefined. */
function requireImportable({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    for (const imported of imports) {
      if (imported.kind === 'dynamic-import' && inputs[imported.path]?.format === 'cjs') {
        throw new Error(`${path} imports ${imported.path} dynamically: make its package external`);
      }
    }
  }
}

/** Returns the files that service, decoder and demo are made of, relative to the project. */
export async function bundleService(project: string): Promise<readonly string[]> {
  const service = await bundle(project, {
    entryPoints: { main: 'src/infrastructure/main.ts' },
    splitting: true,
    format: 'esm',
    banner: { js: REQUIRE_BANNER },
  });
  // Shares no chunk with the service. CommonJS modules load without the thread pool, whose size the decoder sets.
  const decoder = await bundle(project, {
    entryPoints: { decoder: 'src/decoder/main.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  });
  const demo = await bundle(project, {
    entryPoints: { demo: DEMO },
    format: 'esm',
    banner: { js: REQUIRE_BANNER },
  });
  return [...new Set([...service, ...decoder, ...demo])];
}

async function bundle(project: string, options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: project,
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    external: [...EXTERNAL, ...NOT_INSTALLED],
    // Packages of koa have older copies of the list of media types.
    alias: { 'mime-db': mediaTypesOf(project) },
    // Without `keepNames`, which names each function again whenever it is made: a tenth of the CPU of a request. A test shows that
    // no class of the service, whose names are in logs, gets another one.
    // A third less to read. Names stay, and the source maps have the lines.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    plugins: [
      packagesWithoutLines,
      nodeModulesByRequire,
      jsonAsText,
      withoutAjv,
      tracingFromNodeModules,
      demoFromItsBundle,
    ],
    metafile: true,
  });
  requireImportable(metafile);
  return Object.keys(metafile.inputs);
}
