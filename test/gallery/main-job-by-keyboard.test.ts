import { Keyboard } from './keyboard.ts';
import { describeMainJob } from './main-job.ts';

describeMainJob({ device: 'keyboard', handsFor: (gallery) => new Keyboard(gallery), isThorough: false });
