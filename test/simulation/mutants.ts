/** A fault that is planted into the source, for the simulation to find. The suites of the use cases do not find it. */
export interface Mutant {
  readonly title: string;
  readonly file: string;
  readonly code: string;
  readonly replacement: string;
}

const EDIT = 'src/application/metadata/edit-metadata.ts';
const MADE_FILES = 'src/application/files/made-files.ts';
const DOUBLE = 'test/support/doubles/in-memory-image-repository.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    title: 'the version is compared before the transaction',
    file: EDIT,
    code: 'metadata.patch(id, patch, refusal, author)',
    replacement: `metadata.find(id).then((found) => {
      if (found !== undefined && !matches(found.version)) throw new MetadataChanged();
      return metadata.patch(id, patch);
    })`,
  },
  {
    title: 'one flight makes the renditions of all images',
    file: MADE_FILES,
    code: 'return `${uuid}/${name}`;',
    replacement: 'return uuid && name;',
  },
  {
    title: 'an archive breaks off if one of its images is deleted meanwhile',
    file: 'src/application/files/archive-images.ts',
    code: 'if (error instanceof ImageNotFound) return undefined;',
    replacement: '',
  },
  {
    title: 'a page is gone with one of its images',
    file: 'src/application/links/open-page.ts',
    code: 'if (found.length === 0)',
    replacement: 'if (found.length < images.length)',
  },
  {
    title: 'an export notes what it has not written',
    file: 'src/application/maintenance/export/export-catalog.ts',
    code: "if (outcome !== 'written') return undefined;",
    replacement: "if (outcome === 'present') return undefined;",
  },
  {
    title: 'a quota is judged before the transaction',
    file: DOUBLE,
    code: `      await call.reach('commit');
      const { space, name, by } = together;
      if (name !== undefined) this.names.judge(space, name);
      this.#judge(space, image, together.limits());`,
    replacement: `      const { space, name, by } = together;
      if (name !== undefined) this.names.judge(space, name);
      this.#judge(space, image, together.limits());
      await call.reach('commit');`,
  },
  {
    title: 'a name stays when its image is removed',
    file: DOUBLE,
    code: 'this.names.removeOf(id, by);',
    replacement: '',
  },
  {
    title: 'a patch of the focus alone changes nothing',
    file: 'src/domain/image/says-the-same.ts',
    code: 'Object.keys(NO_METADATA) as',
    replacement: "Object.keys(NO_METADATA).filter((name) => name !== 'focus') as",
  },
];
