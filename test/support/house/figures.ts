import { basename, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { floorsOf } from './floors.ts';
import { cyclesIn, type Graph } from './graph.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';
import { DECISIONS, JUDGED_REQUESTS, stationsOf } from './stations.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What binds the parts of the service to each other. */
const WIRING =
  /^src\/(application\/use-cases|infrastructure\/(bindings\/.*|compose|compose-service|compose-storage|maintenance|tokens)|adapters\/http\/(create-http-api|route\/http-settings|route\/route-parts|routes))\.ts$/;

export interface Figure {
  readonly value: number;
  /** What was counted, if it has names. */
  readonly items?: readonly string[];
  /** The number of which `value` are a part. */
  readonly of?: number;
}

export type Figures = Readonly<Record<string, Figure>>;

/** What is read from the source files. */
export function figuresOfSources(): Figures {
  const folders = ['src', 'client', 'web', 'test', 'migrations'];
  const sources = new Map(folders.map((folder) => [folder, sourceFiles(resolve(ROOT, folder))]));
  const code = ['src', 'client', 'web'].flatMap((folder) => sources.get(folder) ?? []);
  const src = sources.get('src') ?? [];
  const wiring = src.filter(({ path }) => WIRING.test(relative(ROOT, path)));
  return {
    ...Object.fromEntries(folders.map((name) => [`code lines: ${name}`, codeLines(sources.get(name) ?? [])])),
    'code lines: wiring': codeLines(wiring),
    'files of src with several values': named(src.filter(({ exportedValues }) => exportedValues.length > 1)),
    'files of src without their name': named(src.filter((file) => !hasItsName(file))),
    'files of web, client with several values': named(
      code.filter((file) => !src.includes(file) && file.exportedValues.length > 1),
    ),
    'cycles of files': cycles(code),
    ...floors('http', 'src/adapters/http', src),
    ...floors('sql', 'src/adapters/sql', src),
    ...floors('web', 'web/src', sources.get('web') ?? []),
  };
}

/** What is counted of the functions that run for requests. */
export function figuresOfRequests(requests: ReadonlyMap<string, readonly string[]>): Figures {
  const functions = [...requests].map(([name, executed]) => [
    `functions: ${name}`,
    { value: executed.length, items: executed },
  ]);
  const stations = JUDGED_REQUESTS.map((name) => {
    const files = stationsOf(requests.get(name) ?? []);
    const items = [...files].filter((file) => file in DECISIONS);
    return [`deciding stations: ${name}`, { value: items.length, items, of: files.size }];
  });
  return Object.fromEntries([...functions, ...stations]) as Figures;
}

function codeLines(files: readonly SourceFile[]): Figure {
  return { value: files.reduce((sum, file) => sum + file.codeLines, 0) };
}

function named(files: readonly SourceFile[]): Figure {
  const items = files.map(
    ({ path, exportedValues }) => `${relative(ROOT, path)} ${exportedValues.join(' ')}`,
  );
  return { value: items.length, items };
}

/** `blob-key.ts` exports `BlobKey`, `blobKey` or `BLOB_KEY`. */
function hasItsName({ path, exportedValues, exportedTypes }: SourceFile): boolean {
  const letters = (name: string): string => name.replaceAll(/[-_.]/g, '').toLowerCase();
  const name = letters(basename(path).replace(/(\.d)?\.tsx?$/, ''));
  return [...exportedValues, ...exportedTypes].some((exported) => letters(exported) === name);
}

function cycles(files: readonly SourceFile[]): Figure {
  const graph = graphOf(files, (path) => relative(ROOT, path));
  const items = cyclesIn(graph).map((cycle) => cycle.join(' '));
  return { value: items.length, items };
}

/** The nodes are the folders of a room, and the files beside them. */
function floors(name: string, room: string, files: readonly SourceFile[]): Figures {
  const root = resolve(ROOT, room) + sep;
  const inRoom = files.filter(({ path }) => path.startsWith(root));
  const found = floorsOf(graphOf(inRoom, (path) => path.slice(root.length).split(sep)[0] ?? ''));
  return {
    [`floors: ${name}`]: { value: found.floors },
    [`arrows up: ${name}`]: { value: found.arrowsUp.length, items: found.arrowsUp },
  };
}

function graphOf(files: readonly SourceFile[], nodeOf: (path: string) => string): Graph {
  const graph = new Map(files.map(({ path }) => [nodeOf(path), new Set<string>()]));
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, imports } of files) {
    const node = nodeOf(path);
    const others = imports.filter((imported) => paths.has(imported)).map(nodeOf);
    for (const other of others) if (other !== node) graph.get(node)?.add(other);
  }
  return graph;
}
