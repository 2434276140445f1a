import { Keyboard } from '../support/keyboard.ts';
import { describeMainJob } from '../support/main-job.ts';

describeMainJob({ device: 'keyboard', handsFor: (gallery) => new Keyboard(gallery), isThorough: false });
