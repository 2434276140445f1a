import { expect } from 'chai';
import { SYSTEM_NAMES as IMPORTED } from '../../../src/adapters/filesystem/is-system-entry.ts';
import { isInSystemFolder, SYSTEM_NAMES } from '../../../web/src/upload/is-system-entry.ts';

describe('isInSystemFolder', () => {
  it('knows the names that the command import knows', () => {
    expect([...SYSTEM_NAMES]).to.deep.equal([...IMPORTED]);
  });

  for (const path of [
    'Photos/@eaDir/cat.jpg/SYNOPHOTO_THUMB_XL.jpg',
    'Photos/2024/@Recycle/cat.jpg',
    'Photos/.thumbnails/cat.jpg',
    'Photos/._cat.jpg',
    'Photos/Thumbs.db',
  ]) {
    it(`finds ${path}`, () => expect(isInSystemFolder(fileIn(path))).to.equal(true));
  }

  for (const path of ['Photos/cat.jpg', '#recycle/cat.jpg', 'Photos/recycle/cat.jpg', 'cat@eaDir.jpg']) {
    it(`takes ${path}`, () => expect(isInSystemFolder(fileIn(path))).to.equal(false));
  }
});

function fileIn(path: string): File {
  const file = new File([], path.split('/').at(-1) ?? '');
  return Object.assign(file, { webkitRelativePath: path });
}
