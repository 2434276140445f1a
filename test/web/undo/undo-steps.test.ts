import { expect } from 'chai';
import { Notices } from '../../../web/src/notices/notices.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { ManualTime } from '../../support/time/manual-time.ts';

describe('what can be undone', () => {
  let time: ManualTime;
  let notices: Notices;
  let undo: UndoSteps;
  let done: string[];

  beforeEach(() => {
    time = new ManualTime();
    notices = new Notices(time);
    undo = new UndoSteps(notices);
    done = [];
  });

  function add(text: string): () => void {
    return undo.add({
      text,
      undo: () => void done.push(`undo ${text}`),
      onExpired: () => void done.push(`over ${text}`),
    });
  }

  const shown = (): readonly string[] => notices.shown.get().map(({ text }) => text);

  it('is the last step first, whatever kinds they are of', () => {
    add('edited');
    add('deleted');
    expect(shown()).to.deep.equal(['deleted']);

    undo.undo();
    expect([done, shown()]).to.deep.equal([['undo deleted'], ['edited']]);
    undo.undo();
    undo.undo();
    expect([done, shown()]).to.deep.equal([['undo deleted', 'undo edited'], []]);
  });

  it('is over after 8 s, which begin again with every step', async () => {
    add('edited');
    await time.settle(7000);
    add('deleted');
    await time.settle(7999);
    expect(done).to.deep.equal([]);

    await time.settle(1);
    expect(done).to.deep.equal(['over edited', 'over deleted']);
    undo.undo();
    expect(done).to.have.length(2);
  });

  it('does not end with a step that is taken out', () => {
    add('edited');
    const takeOut = add('deleted');
    takeOut();
    takeOut();

    expect([done, shown()]).to.deep.equal([[], ['edited']]);
  });
});
