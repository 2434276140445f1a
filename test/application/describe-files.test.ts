import { expect } from 'chai';
import { describeFiles } from '../../src/application/maintenance/import/describe-files.ts';
import type { WrittenField } from '../../src/domain/image/fields.ts';

/** One value for each field that people write: a field without a value here does not compile. */
const WRITTEN: Readonly<Record<WrittenField, unknown>> = {
  title: 'Chelsea',
  description: 'On the sofa\nasleep',
  alt: '',
  tags: ['sofa'],
  takenAt: '2025-06-01T10:00:00.000+02:00',
  focus: { x: 0.25, y: 0.5 },
};

function importedFrom(metadata: Readonly<Record<string, unknown>>, tags: readonly string[] = []): unknown {
  const exported = new Map([['cat.jpg', { file: 'cat.jpg', originalName: 'Cat.jpg', metadata }]]);
  return describeFiles(exported, tags)('cat.jpg').metadata;
}

describe('describeFiles', () => {
  it('imports every field that an export has', () => {
    expect(importedFrom({ ...WRITTEN, capture: { takenAt: null }, updatedAt: null })).to.deep.equal({
      title: 'Chelsea',
      description: 'On the sofa\nasleep',
      alt: '',
      tags: ['sofa'],
      takenAt: '2025-06-01T10:00:00.000+02:00',
      focus: { x: 0.25, y: 0.5 },
    });
  });

  it('leaves a time of the camera to the file', () => {
    const takenAt = '2025-06-01T10:00:00.000';

    expect(importedFrom({ takenAt, capture: { takenAt } })).to.equal(undefined);
  });

  it('imports that a field was cleared, so that it does not come back from the file', () => {
    const capture = { takenAt: '2025-06-01T10:00:00.000' };

    expect(importedFrom({ title: null, alt: null, tags: [], takenAt: null, capture })).to.deep.equal({
      title: null,
      alt: null,
      tags: [],
      takenAt: null,
    });
  });

  it('leaves fields that an older export does not have to the file', () => {
    expect(importedFrom({})).to.equal(undefined);
  });

  it('adds the tags of the command to the tags of the export', () => {
    expect(importedFrom({ tags: ['sofa'] }, ['imported', 'sofa'])).to.deep.equal({
      tags: ['sofa', 'imported'],
    });
  });

  it('ignores fields that this version does not know', () => {
    expect(importedFrom({ title: 'Chelsea', mood: 'sleepy' })).to.deep.equal({ title: 'Chelsea' });
  });

  it('gives files of an export their names back, and leaves others as they are', () => {
    const exported = new Map([['x', { file: 'x', originalName: 'o.png' }]]);
    const describe = describeFiles(exported, []);

    expect(describe('x')).to.deep.equal({ name: 'o.png', isExported: true, metadata: undefined });
    expect(describe('sub/y.png')).to.deep.equal({ name: 'y.png', isExported: false, metadata: undefined });
  });
});
