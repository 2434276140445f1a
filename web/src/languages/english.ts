import { formatsOf } from './formats-of.ts';

const formats = formatsOf('en-GB');
const { plural } = formats;

/** How English writes, and the phrases that several rooms share. */
export const english = {
  ...formats,
  pictures: plural({ one: '# picture', other: '# pictures' }),
  suggestions: plural({ one: '# suggestion', other: '# suggestions' }),
  picturesMissing: plural({
    one: '# picture has been deleted.',
    other: '# pictures have been deleted.',
  }),
  picturesNotChanged: plural({
    one: '# picture could not be changed and stays selected.',
    other: '# pictures could not be changed and stay selected.',
  }),
  days: plural({ one: '# day', other: '# days' }),
};
